// Games, invites and offers; new games, and invites to hand on.
import { button, byId, choiceField, element, field } from './dom.js';
import { asked, sent } from './api.js';

const COLORS = [['random', 'by chance'], ['white', 'White'], ['black', 'Black']];
const TIMES = [['', 'none'], ['12h', '12 hours a move'], ['1d', '1 day a move'], ['3d', '3 days a move'], ['7d', '7 days a move'], ['14d', '14 days a move']];

/** The list of everything; `tell` shows a notice. */
export function lobbyPage(lobby, tell) {
  const { games, invites, offers } = lobby;
  const empty = games.length + invites.length + offers.length === 0;
  return element(
    'main',
    { class: 'page lobby' },
    element('h1', { tabIndex: -1 }, empty ? 'Welcome' : 'Your games'),
    empty ? greeting() : null,
    invites.length ? section('Invites to you', invites.map((invite) => inviteRow(invite, tell))) : null,
    games.length ? section(empty ? '' : null, games.map(gameRow), 'games') : null,
    offers.length ? section('Your open offers', offers.map((offer) => offerRow(offer, tell))) : null,
    element('p', { class: 'ways' },
      element('a', { id: 'new-game', class: 'button main', href: '#/new' }, 'New game'),
      element('a', { id: 'show-luck', class: 'button', href: '#/luck' }, 'Luck')),
    joinForm(lobby, tell),
    element('p', { class: 'small' }, `Your key’s fingerprint: ${lobby.me.fingerprint}. A friend who compares it by telephone knows that it is you.`),
  );
}

/** The form of a new game. */
export function newGamePage(lobby, tell) {
  const variant = choiceField('offer-variant', lobby.variants.map(({ name, title }) => [name, `${name}: ${title}`]), 'chakart');
  const setup = element('select', { id: 'offer-setup' });
  const fill = () => {
    const rules = lobby.variants.find(({ name }) => name === variant.value);
    setup.replaceChildren(...rules.setups.map((name) => element('option', { value: name, selected: name === rules.setup }, name)));
  };
  variant.onchange = fill;
  fill();
  const friends = [['', 'whoever has the invite'], ...lobby.friends.map((name) => [name, name])];
  const form = element('form', { id: 'offer-form', class: 'form' },
    field('Rules', variant), field('Start', setup),
    field('Your colour', choiceField('offer-color', COLORS, 'random')),
    field('Time', choiceField('offer-time', TIMES, '')),
    field('For', choiceField('offer-friend', friends, '')),
    field('Your name', nameInput('offer-name', lobby.me.name)),
    element('button', { id: 'make-offer', type: 'submit', class: 'main' }, 'Make the invite'));
  form.onsubmit = (event) => {
    event.preventDefault();
    offer(tell);
  };
  return element('main', { class: 'page' }, element('h1', { tabIndex: -1 }, 'New game'), form,
    element('p', { class: 'small' }, 'Rules are explained by ‘chakart rules VARIANT’ and on the page of each game.'));
}

/** An invite, to be handed on. */
export function invitePage(offered, tell) {
  const text = element('textarea', { id: 'invite-text', readOnly: true, rows: 6, value: offered.invite, aria: { label: 'The invite' } });
  text.onfocus = () => text.select();
  const copy = button('Copy', () => copied(text, tell), { id: 'copy', class: 'main' });
  // As a picture, not as markup of this page.
  const code = offered.qr && element('img', { class: 'qr', alt: 'The invite as a QR code', src: `data:image/svg+xml,${encodeURIComponent(offered.qr)}` });
  return element('main', { class: 'page invite' },
    element('h1', { tabIndex: -1 }, 'Invite a friend'),
    element('p', {}, offered.words),
    element('p', {}, 'Send this to your friend. The game begins as soon as the invite is taken; this page then goes to its board. The offer stays open when you leave.'),
    text, copy, code,
    element('p', { class: 'ways' }, element('a', { class: 'button', href: '#/' }, 'To the games'), cancelButton(offered.name, tell)));
}

function greeting() {
  const way = (name, words) => element('li', {}, element('strong', {}, name), ` ${words}`);
  return element('section', { class: 'greeting' },
    element('p', {}, 'Chakart is chess with objects: pieces leave mushrooms, eggs, bananas and bombs, chance decides what they do, and a queen may once move unseen. You play a friend directly, with nobody in between.'),
    element('ul', {},
      way('New game', 'makes an invite for a friend.'),
      way('Join', 'takes an invite that a friend has sent you.'),
      way('chakart practice', 'in a terminal plays against the machine; ‘chakart tour’ shows what the objects do.')));
}

function section(heading, rows, id = '') {
  return element('section', {}, heading ? element('h2', {}, heading) : null, element('ul', { class: 'rows', id }, ...rows));
}

function gameRow(game) {
  const state = element('span', { class: 'state' }, game.mine ? 'your move' : game.state);
  const link = element('a', { href: `#/game/${encodeURIComponent(game.name)}`, data: { game: game.name } },
    element('span', { class: 'name' }, game.name), state,
    element('span', { class: 'words' }, game.words), element('span', { class: 'detail' }, game.detail));
  return element('li', { class: game.mine ? 'mine' : game.finished ? 'finished' : '' }, link);
}

function inviteRow(invite, tell) {
  const accept = button('Accept', () => attempt(tell, async () => {
    const { name } = await sent(`/api/invites/${encodeURIComponent(invite.name)}`, {});
    location.hash = `#/game/${encodeURIComponent(name)}`;
  }), { class: 'main', data: { invite: invite.name } });
  return element('li', { class: 'mine' }, element('div', {}, element('span', { class: 'words' }, invite.words), accept));
}

function offerRow(offer, tell) {
  const again = element('a', { class: 'button', href: `#/offer/${encodeURIComponent(offer.name)}` }, 'Show the invite');
  return element('li', {}, element('div', {},
    element('span', { class: 'name' }, offer.name), element('span', { class: 'words' }, offer.words), again, cancelButton(offer.name, tell)));
}

function cancelButton(name, tell) {
  return button('Take it back', () => attempt(tell, async () => {
    await asked(`/api/offers/${encodeURIComponent(name)}`, { method: 'DELETE' });
    location.hash = '#/';
    dispatchEvent(new Event('chakart-changed'));
  }), { data: { cancel: name } });
}

function joinForm(lobby, tell) {
  const form = element('form', { id: 'join-form', class: 'form' },
    element('h2', {}, 'Join by an invite'),
    field('The invite', element('textarea', { id: 'join-invite', rows: 3, required: true, placeholder: 'chakart:…' })),
    field('Your name', nameInput('join-name', lobby.me.name)),
    element('button', { id: 'join', type: 'submit' }, 'Join'));
  form.onsubmit = (event) => {
    event.preventDefault();
    attempt(tell, async () => {
      const { name } = await sent('/api/join', { invite: byId('join-invite').value, name: byId('join-name').value || null });
      location.hash = `#/game/${encodeURIComponent(name)}`;
    });
  };
  return form;
}

function nameInput(id, name) {
  return element('input', { id, type: 'text', maxLength: 40, value: name ?? '', autocomplete: 'nickname' });
}

function offer(tell) {
  const value = (id) => byId(`offer-${id}`).value;
  return attempt(tell, async () => {
    const wanted = { variant: value('variant'), setup: value('setup'), color: value('color') };
    const made = await sent('/api/offers', { ...wanted, time: value('time') || null, name: value('name') || null, friend: value('friend') || null });
    location.hash = `#/offer/${encodeURIComponent(made.name)}`;
  });
}

async function copied(text, tell) {
  try {
    await navigator.clipboard.writeText(text.value);
    tell('Copied.');
  } catch {
    text.select();
    tell('Press Ctrl-C to copy it.');
  }
}

async function attempt(tell, work) {
  try {
    await work();
  } catch (error) {
    tell([error.message, error.hint].filter(Boolean).join(' '));
  }
}
