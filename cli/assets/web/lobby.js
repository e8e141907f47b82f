// The first page: games, invites and offers.

import { ask, pathOf } from './api.js';
import { button, element, shape, toast } from './dom.js';

/** The list of games with what a newcomer can do. */
export class LobbyPage {
  constructor() {
    this.me = element('p', { class: 'quiet me' });
    this.lists = element('div', { class: 'lists' });
    this.joinForm = joinForm();
    const start = element(
      'section',
      { class: 'card start' },
      element('h2', {}, 'Play a friend'),
      element('a', { id: 'new-game', class: 'button main', href: '#/new' }, 'New game'),
      element('p', { class: 'quiet' }, 'makes an invite to send. Or take one:'),
      this.joinForm,
    );
    this.node = element(
      'div',
      { class: 'lobby' },
      element('div', { class: 'main-column' }, element('h1', {}, 'Your games'), this.lists),
      element(
        'aside',
        { class: 'side-column' },
        start,
        this.me,
        element('a', { id: 'show-luck', href: '#/luck' }, 'Who has the better luck?'),
      ),
    );
  }

  /** Shows the lists. */
  takeLists(lobby) {
    const { me, games, invites, offers } = lobby;
    this.me.textContent = `${me.name ? `You are ${me.name}` : 'You have no name yet'}. Your fingerprint: ${me.fingerprint}`;
    const name = this.joinForm.elements['join-name'];
    if (!name.value && me.name && document.activeElement !== name) name.value = me.name;
    const focused = document.activeElement?.dataset.key;
    const open = games.filter((game) => !game.finished);
    const over = games.filter((game) => game.finished);
    const parts = [
      list('Invites to you', invites, inviteItem),
      list(null, open, gameItem),
      list('Open offers', offers, offerItem),
      list('Finished', over, gameItem),
    ];
    this.lists.replaceChildren(
      ...(games.length + invites.length + offers.length ? parts.filter(Boolean) : [welcome()]),
    );
    if (focused) this.lists.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  }

  /** Nothing goes on after the page was left. */
  leave() {}
}

function list(title, items, draw) {
  if (!items.length) return null;
  return element(
    'section',
    {},
    title && element('h2', {}, title),
    element('ul', { class: 'rows' }, items.map(draw)),
  );
}

function gameItem({ name, state, words, detail, mine, finished }) {
  const badge = element('span', { class: `badge ${mine ? 'mine' : ''} ${finished ? 'over' : ''}` }, state);
  const head = element('span', { class: 'row-head' }, element('strong', {}, words), badge);
  const link = element(
    'a',
    {
      class: 'row',
      href: `#/game/${encodeURIComponent(name)}`,
      'data-game': name,
      'data-key': `game ${name}`,
    },
    head,
    element('span', { class: 'quiet detail' }, detail),
    element('span', { class: 'quiet name' }, name),
  );
  return element('li', {}, link);
}

function inviteItem({ name, words }) {
  const accept = button('Accept', {
    class: 'main',
    'data-key': `invite ${name}`,
    'data-invite': name,
    onclick: (event) => acceptInvite(event.target, name),
  });
  return element(
    'li',
    { class: 'row' },
    element('span', { class: 'row-head' }, element('strong', {}, words), accept),
    element('span', { class: 'quiet name' }, name),
  );
}

function offerItem({ name, words }) {
  const show = element(
    'a',
    {
      class: 'button',
      href: `#/offer/${encodeURIComponent(name)}`,
      'data-key': `offer ${name}`,
      'data-offer': name,
    },
    'Show the invite',
  );
  const cancel = button('Take it back', {
    'data-key': `cancel ${name}`,
    'data-cancel': name,
    onclick: () => cancelOffer(name),
  });
  return element(
    'li',
    { class: 'row' },
    element(
      'span',
      { class: 'row-head' },
      element('strong', {}, words),
      element('span', { class: 'row-buttons' }, show, cancel),
    ),
    element('span', { class: 'quiet name' }, name),
  );
}

const PARADE = [
  'man white#knight',
  'object#egg',
  'object#banana',
  'man black#queen',
  'object#bomb',
  'object#mushroom',
  'man white#king',
];

function parade() {
  const pictures = PARADE.map((each) => each.split('#')).map(([classes, symbol]) =>
    shape('svg', { viewBox: '0 0 48 48', class: classes }, shape('use', { href: `#${symbol}` })),
  );
  return element('div', { class: 'parade', 'aria-hidden': 'true' }, pictures);
}

function welcome() {
  const line = (title, words) => element('li', {}, element('strong', {}, title), ` ${words}`);
  return element(
    'section',
    { class: 'card welcome' },
    parade(),
    element('h2', {}, 'Welcome'),
    element(
      'p',
      {},
      'Chess with objects: eggs, bananas, bombs and mushrooms, and dice that neither side can load. You have no games yet.',
    ),
    element(
      'ul',
      {},
      line('New game', 'makes an invite. Send it to a friend by mail or messenger, or show the QR code.'),
      line('Join', 'if a friend has sent you an invite: paste it.'),
      line('Practise', "alone against the machine: run 'chakart practice' in a terminal."),
      line('Learn', "the objects in five minutes: run 'chakart tour' in a terminal."),
    ),
  );
}

async function acceptInvite(source, name) {
  source.disabled = true;
  try {
    const { name: game } = await ask('POST', pathOf('invites', name), {});
    location.hash = `#/game/${encodeURIComponent(game)}`;
  } catch (error) {
    source.disabled = false;
    toast(error.words, 'fault');
  }
}

/** Takes an open offer back; whether that was done. */
export async function cancelOffer(name) {
  try {
    await ask('DELETE', pathOf('offers', name));
    return true;
  } catch (error) {
    toast(error.words, 'fault');
    return false;
  }
}

function joinForm() {
  const invite = element('textarea', {
    id: 'join-invite',
    name: 'join-invite',
    rows: '3',
    required: true,
    spellcheck: 'false',
    autocomplete: 'off',
  });
  const name = element('input', {
    id: 'join-name',
    name: 'join-name',
    autocomplete: 'nickname',
    maxlength: '40',
  });
  const fault = element('p', { class: 'fault', role: 'alert' });
  const form = element(
    'form',
    { id: 'join-form' },
    element('label', { for: 'join-invite' }, 'The invite that you were sent'),
    invite,
    element('label', { for: 'join-name' }, 'What you call yourself'),
    name,
    fault,
    element('button', { id: 'join' }, 'Join'),
  );
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    fault.textContent = '';
    try {
      const { name: game } = await ask('POST', '/api/join', {
        invite: invite.value,
        name: name.value.trim() || null,
      });
      invite.value = '';
      location.hash = `#/game/${encodeURIComponent(game)}`;
    } catch (error) {
      fault.textContent = error.words;
    }
  });
  return form;
}
