// A new game, and the invite to it.

import { ask, pathOf } from './api.js';
import { button, capitalised, element } from './dom.js';
import { showRules } from './deeds.js';
import { cancelOffer } from './lobby.js';

const SETUPS = {
  fixed: 'fixed: as in chess',
  symmetric: 'symmetric: one random order for both',
  asymmetric: 'asymmetric: a random order for each',
};
const COLORS = [
  ['random', 'random'],
  ['white', 'White'],
  ['black', 'Black'],
];

/** The form of a new game. */
export class OfferFormPage {
  constructor() {
    this.variant = element('select', { id: 'offer-variant' });
    this.about = hint('about', '');
    this.setup = element('select', { id: 'offer-setup' });
    this.color = element(
      'select',
      { id: 'offer-color' },
      COLORS.map(([value, words]) => element('option', { value }, words)),
    );
    this.time = element('input', {
      id: 'offer-time',
      placeholder: 'none',
      autocomplete: 'off',
      'aria-describedby': 'time-hint',
    });
    this.name = element('input', { id: 'offer-name', autocomplete: 'nickname', maxlength: '40' });
    this.friend = element('input', {
      id: 'offer-friend',
      list: 'friends',
      autocomplete: 'off',
      'aria-describedby': 'friend-hint',
    });
    this.friends = element('datalist', { id: 'friends' });
    this.fault = element('p', { class: 'fault', role: 'alert' });
    this.variants = [];
    this.node = element('div', { class: 'narrow' }, element('h1', {}, 'New game'), this.#form());
    this.variant.addEventListener('change', () => this.#describe());
  }

  /** Takes what can be played. */
  takeLists({ me, friends, variants }) {
    if (this.variants.length) return;
    this.variants = variants;
    this.variant.replaceChildren(
      ...variants.map(({ name, title }) => element('option', { value: name }, title.split(':')[0])),
    );
    this.friends.replaceChildren(...friends.map((name) => element('option', { value: name })));
    this.name.value = me.name ?? '';
    this.#describe();
  }

  /** Nothing goes on after the page was left. */
  leave() {}

  #form() {
    const rules = button('Read the rules', { class: 'plain', onclick: () => showRules(this.variant.value) });
    const time = hint(
      'time-hint',
      'For each move (3d, 12h), or a bank and what each move adds (10d+1d). Left empty: none.',
    );
    const friend = hint(
      'friend-hint',
      'The name of a friend, or a key. Left empty: whoever uses the invite first.',
    );
    const form = element(
      'form',
      { id: 'offer-form', class: 'card' },
      field('Rules', this.variant, this.about, rules),
      element('div', { class: 'fields' }, field('Start', this.setup), field('Your colour', this.color)),
      element(
        'div',
        { class: 'fields' },
        field('Time', this.time, time),
        field('Only for', this.friend, this.friends, friend),
      ),
      field('What you call yourself', this.name),
      this.fault,
      element('button', { id: 'make-offer', class: 'main' }, 'Make the invite'),
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#make();
    });
    return form;
  }

  #describe() {
    const chosen = this.variants.find((variant) => variant.name === this.variant.value);
    this.about.textContent = capitalised(chosen.title.split(': ').slice(1).join(': '));
    this.setup.replaceChildren(
      ...chosen.setups.map((name) => element('option', { value: name }, SETUPS[name] ?? name)),
    );
    this.setup.value = chosen.setup;
  }

  async #make() {
    this.fault.textContent = '';
    const given = (input) => input.value.trim() || null;
    const wanted = {
      variant: this.variant.value,
      setup: this.setup.value,
      color: this.color.value,
      time: given(this.time),
      name: given(this.name),
      friend: given(this.friend),
    };
    try {
      const { name } = await ask('POST', '/api/offers', wanted);
      location.hash = `#/offer/${encodeURIComponent(name)}`;
    } catch (error) {
      this.fault.textContent = error.words;
    }
  }
}

function field(words, control, ...more) {
  return element('div', { class: 'field' }, element('label', { for: control.id }, words), control, ...more);
}

function hint(id, words) {
  return element('p', { id, class: 'quiet' }, words);
}

/** The invite to an open offer. */
export class InvitePage {
  constructor(name) {
    this.name = name;
    this.words = element('p', {});
    this.text = element('textarea', {
      id: 'invite-text',
      readonly: true,
      rows: '7',
      spellcheck: 'false',
      'aria-label': 'The invite',
    });
    this.copied = element('span', { class: 'quiet', role: 'status' });
    this.code = element('div', { class: 'code' });
    const copy = button('Copy', { id: 'copy', class: 'main', onclick: () => this.#copy() });
    const cancel = button('Take the offer back', {
      onclick: async () => (await cancelOffer(name)) && (location.hash = '#/'),
    });
    const text = element(
      'div',
      { class: 'invite-words' },
      element(
        'p',
        {},
        'Send this to your friend, by mail or messenger. The game begins as soon as both programs have met; this page then leads to it.',
      ),
      this.text,
      element('div', { class: 'line' }, copy, this.copied),
      element('p', { class: 'quiet' }, 'An open invite goes to whoever uses it first.'),
      cancel,
    );
    this.node = element(
      'div',
      { class: 'wider' },
      element('h1', {}, 'Your invite'),
      this.words,
      element('div', { class: 'card invite' }, text, this.code),
    );
  }

  /** Takes the lists: an offer that is not open any more may have become a game. */
  takeLists({ offers }) {
    this.isOpen = offers.some((offer) => offer.name === this.name);
  }

  /** Reads the invite; goes on to the game that it has become, which has another name, or back to the lists. */
  async load() {
    if (this.isOpen && this.text.value) return;
    const offered = await ask('GET', pathOf('offers', this.name)).catch((error) => (error.status === 404 ? {} : Promise.reject(error)));
    if (!offered.invite) {
      location.replace(offered.game ? `#/game/${encodeURIComponent(offered.game)}` : '#/');
      return;
    }
    this.words.textContent = offered.words;
    this.text.value = offered.invite;
    this.code.replaceChildren(offered.qr ? picture(offered.qr) : '');
  }

  /** Nothing goes on after the page was left. */
  leave() {}

  async #copy() {
    try {
      await navigator.clipboard.writeText(this.text.value);
      this.copied.textContent = 'Copied.';
    } catch {
      this.text.select();
      this.copied.textContent = 'The browser refuses; it is selected, so press Ctrl-C.';
    }
  }
}

/** A drawing as a picture: what is in it can run nothing. */
function picture(svg) {
  return element('img', {
    src: `data:image/svg+xml,${encodeURIComponent(svg)}`,
    alt: 'The invite as a QR code',
    width: '320',
    height: '320',
  });
}
