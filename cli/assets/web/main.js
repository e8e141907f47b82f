// The live page: lets itself in, shows what the address names, and keeps it up to date.
import { announce, button, byId, element } from './dom.js';
import { asked, enter, gamePath, isWaiting, listen } from './api.js';
import { invitePage, lobbyPage, newGamePage } from './lobby.js';
import { luckPage } from './luck.js';
import { adoptSymbols, looksForm, wearLooks } from './settings.js';
import { TablePage } from './table.js';

const NOTICE_MS = 9000;

let table = null;
let mine = new Set();
let fading = 0;
let reading = Promise.resolve();

window.chakart = { table: () => table?.table ?? null, busy: () => table?.busy() ?? isWaiting() };
boot();

async function boot() {
  wearLooks();
  byId('looks').append(looksForm(() => table?.board.redraw()));
  byId('notice').onclick = () => { byId('notice').hidden = true; };
  offerNotifications();
  try {
    await enter();
    adoptSymbols(await Promise.all(['/symbols.svg', '/symbols-letters.svg'].map((path) => fetch(path).then((sheet) => sheet.text()))));
    await go();
  } catch (error) {
    locked(error);
    return;
  }
  addEventListener('hashchange', () => go().catch(locked));
  addEventListener('chakart-changed', () => go().catch(locked));
  listen(heard);
}

/** Shows a notice for a while; screen readers hear it. */
function tell(words) {
  const notice = byId('notice');
  notice.textContent = words;
  notice.hidden = false;
  announce(words);
  clearTimeout(fading);
  fading = setTimeout(() => { notice.hidden = true; }, NOTICE_MS);
}

async function go() {
  const [what = '', name = ''] = location.hash.replace(/^#\/?/, '').split('/').map(decodeURIComponent);
  table?.close();
  table = null;
  const page = await made(what, name);
  byId('page').replaceChildren(page);
  await table?.load().catch((error) => tell([error.message, error.hint].filter(Boolean).join(' ')));
  byId('page').querySelector('h1')?.focus({ preventScroll: true });
  count(await asked('/api/lobby'));
}

async function made(what, name) {
  switch (what) {
    case 'game':
      table = new TablePage(name, tell);
      return table.element;
    case 'new': return newGamePage(await asked('/api/lobby'), tell);
    case 'offer': return offerPage(name);
    case 'luck': return luckPage(await asked(name ? gamePath(name, '/luck') : '/api/luck'), name ? `Luck in ${name}` : 'Luck in all games');
    case 'rules': return rulesPage(await asked(`/api/rules/${encodeURIComponent(name)}`));
    default: return lobbyPage(await asked('/api/lobby'), tell);
  }
}

async function offerPage(name) {
  try {
    const offered = await asked(`/api/offers/${encodeURIComponent(name)}`);
    if (!offered.game) return invitePage(offered, tell);
    location.replace(`#/game/${encodeURIComponent(offered.game)}`);
    return element('main', { class: 'page' }, element('p', {}, 'The game begins.'));
  } catch (error) {
    if (error.status !== 404) throw error;
    location.replace('#/');
    return element('main', { class: 'page' }, element('p', {}, error.message));
  }
}

function rulesPage({ text }) {
  return element('main', { class: 'page' }, element('h1', { tabIndex: -1 }, 'Rules'), element('pre', { class: 'rules', tabIndex: 0 }, text));
}

// One piece of news after the other: each reads the whole game.
function heard({ game, words }) {
  reading = reading.then(() => caughtUp(game, words)).catch((error) => tell(error.message));
}

async function caughtUp(game, words) {
  const here = table;
  if (words && (!here || game === null || game === here.name)) tell(words);
  if (here && (game === null || game === here.name) && !here.busy()) await here.load();
  const lobby = await asked('/api/lobby');
  const before = mine;
  count(lobby);
  const turned = lobby.games.filter(({ name, mine: turn }) => turn && !before.has(name));
  if (turned.length) notify(turned[0]);
  if (!here && /^#?\/?$/.test(location.hash) && !isTyping()) byId('page').replaceChildren(lobbyPage(lobby, tell));
  const offer = location.hash.startsWith('#/offer/') && decodeURIComponent(location.hash.slice(8));
  // Whoever waits beside an invite gets to the board as soon as it is taken.
  if (offer && !lobby.offers.some(({ name }) => name === offer)) await go();
}

function isTyping() {
  const field = document.activeElement;
  return /^(INPUT|TEXTAREA|SELECT)$/.test(field?.tagName ?? '') || byId('join-invite')?.value;
}

function count(lobby) {
  mine = new Set(lobby.games.filter((game) => game.mine).map(({ name }) => name));
  document.title = mine.size ? `(${mine.size}) Your move – Chakart` : 'Chakart';
}

function offerNotifications() {
  const ask = byId('notify');
  ask.hidden = !('Notification' in window) || Notification.permission !== 'default';
  ask.onclick = async () => {
    await Notification.requestPermission();
    ask.hidden = true;
  };
}

function notify(game) {
  if (document.visibilityState === 'visible' || !('Notification' in window) || Notification.permission !== 'granted') return;
  const note = new Notification('Your move', { body: game.words, tag: game.name });
  note.onclick = () => {
    focus();
    location.hash = `#/game/${encodeURIComponent(game.name)}`;
  };
}

function locked(error) {
  const again = button('Try again', () => location.reload());
  byId('page').replaceChildren(element('main', { class: 'page' },
    element('h1', { tabIndex: -1 }, error.message), element('p', {}, error.hint ?? ''), again));
}
