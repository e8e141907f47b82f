// A new game, and the invite to it.

import { ask, pathOf } from './api.js';
import { announce, button, element } from './dom.js';
import { showRules } from './deeds.js';
import { cancelOffer } from './lobby.js';

const SETUPS = {
  fixed: 'fixed: as in chess',
  symmetric: 'symmetric: one random order for both',
  asymmetric: 'asymmetric: a random order for each',
};
const COLORS = [['random', 'random'], ['white', 'White'], ['black', 'Black']];

/** The form of a new game. */
export class OfferFormPage {
  constructor() {
    this.variant = element('select', { id: 'offer-variant' });
    this.setup = element('select', { id: 'offer-setup' });
    this.color = element('select', { id: 'offer-color' }, COLORS.map(([value, words]) => element('option', { value }, words)));
    this.time = element('input', { id: 'offer-time', placeholder: 'none', autocomplete: 'off', 'aria-describedby': 'time-hint' });
    this.name = element('input', { id: 'offer-name', autocomplete: 'nickname', maxlength: '40' });
    this.friend = element('input', { id: 'offer-friend', list: 'friends', autocomplete: 'off', 'aria-describedby': 'friend-hint' });
    this.friends = element('datalist', { id: 'friends' });
    this.fault = element('p', { class: 'fault', role: 'alert' });
    this.variants = [];
    this.node = element('div', { class: 'narrow' }, element('h1', {}, 'New game'), this.#form());
    this.variant.addEventListener('change', () => this.#fillSetups());
  }

  /** Takes what can be played. */
  takeLists({ me, friends, variants }) {
    if (this.variants.length) return;
    this.variants = variants;
    this.variant.replaceChildren(...variants.map(({ name, title }) => element('option', { value: name }, title)));
    this.friends.replaceChildren(...friends.map((name) => element('option', { value: name })));
    this.name.value = me.name ?? '';
    this.#fillSetups();
  }

  /** Nothing goes on after the page was left. */
  leave() {}

  #form() {
    const rules = button('Read the rules', { class: 'plain', onclick: () => showRules(this.variant.value) });
    const form = element('form', { id: 'offer-form', class: 'card' }, field('Rules', this.variant, rules), field('Start', this.setup), field('Your colour', this.color), field('Time', this.time, hint('time-hint', "For each move (3d, 12h), or a bank and what each move adds (10d+1d). Leave it empty to play without.")), field('What you call yourself', this.name), field('Only for', this.friend, this.friends, hint('friend-hint', 'The name of a friend, or a key. Left empty, whoever uses the invite first is your opponent.')), this.fault, element('button', { id: 'make-offer', class: 'main' }, 'Make the invite'));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#make();
    });
    return form;
  }

  #fillSetups() {
    const chosen = this.variants.find((variant) => variant.name === this.variant.value);
    this.setup.replaceChildren(...chosen.setups.map((name) => element('option', { value: name }, SETUPS[name] ?? name)));
    this.setup.value = chosen.setup;
  }

  async #make() {
    this.fault.textContent = '';
    const given = (input) => input.value.trim() || null;
    const wanted = { variant: this.variant.value, setup: this.setup.value, color: this.color.value, time: given(this.time), name: given(this.name), friend: given(this.friend) };
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
    this.text = element('textarea', { id: 'invite-text', readonly: true, rows: '7', spellcheck: 'false', 'aria-label': 'The invite' });
    this.copied = element('span', { class: 'quiet', role: 'status' });
    this.code = element('div', { class: 'code' });
    const copy = button('Copy', { id: 'copy', class: 'main', onclick: () => this.#copy() });
    const cancel = button('Take the offer back', { onclick: async () => (await cancelOffer(name)) && (location.hash = '#/') });
    const text = element('div', { class: 'invite-words' }, element('p', {}, 'Send this to your friend, by mail or messenger. The game begins as soon as both programs have met; this page then leads to it.'), this.text, element('div', { class: 'line' }, copy, this.copied), element('p', { class: 'quiet' }, 'An open invite goes to whoever uses it first.'), cancel);
    this.node = element('div', { class: 'narrow' }, element('h1', {}, 'Your invite'), this.words, element('div', { class: 'card invite' }, text, this.code));
  }

  /** Reads the invite. */
  async load() {
    try {
      const { words, invite, qr } = await ask('GET', pathOf('offers', this.name));
      this.words.textContent = words;
      this.text.value = invite;
      this.code.replaceChildren(qr ? picture(qr) : '');
    } catch (error) {
      if (error.status !== 404) throw error;
      // Somebody has joined: the game has another name than the offer.
      location.hash = '#/';
    }
  }

  /** Nothing goes on after the page was left. */
  leave() {}

  async #copy() {
    try {
      await navigator.clipboard.writeText(this.text.value);
    } catch {
      this.text.select();
      document.execCommand('copy');
    }
    this.copied.textContent = 'Copied.';
    announce('The invite was copied.');
  }
}

/** A drawing as a picture: what is in it can run nothing. */
function picture(svg) {
  return element('img', { src: `data:image/svg+xml,${encodeURIComponent(svg)}`, alt: 'The invite as a QR code', width: '240', height: '240' });
}
