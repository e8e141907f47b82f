// The page that the program serves: lets itself in, shows what the address names, and follows the news.

import { ask, isWaiting, listen } from './api.js';
import { byId, element, toast } from './dom.js';
import { LobbyPage } from './lobby.js';
import { luckPanel } from './luck.js';
import { InvitePage, OfferFormPage } from './offer.js';
import { onSetting, startSettings } from './settings.js';
import { addSheet } from './sheet.js';
import { TablePage } from './table.js';
import { follow, startNotifications } from './turns.js';

let page = null;
let isLinked = true;

// For programs that drive the page: nothing can be done through it.
window.chakart = Object.freeze({
  table: () => page?.table ?? null,
  busy: () => page === null || isWaiting() || Boolean(page.isBusy),
});

/** Uses the secret of the printed address, and drops it from the address bar. */
async function letIn() {
  const token = location.hash.slice(1);
  if (!token || token.startsWith('/')) return;
  history.replaceState(null, '', '#/');
  await ask('POST', '/api/session', { token });
}

function pageOf(hash) {
  const [kind, name] = hash.replace(/^#\//, '').split('/').map(decodeURIComponent);
  if (kind === 'game' && name) return new TablePage(name);
  if (kind === 'offer' && name) return new InvitePage(name);
  if (kind === 'new') return new OfferFormPage();
  if (kind === 'luck') return new LuckPage();
  return new LobbyPage();
}

/** The luck of all games. */
class LuckPage {
  constructor() {
    this.node = element(
      'div',
      { class: 'wide' },
      element('h1', {}, 'Luck in all your games'),
      luckPanel(null),
    );
  }

  leave() {}
}

async function route() {
  page?.leave();
  page = pageOf(location.hash);
  byId('page').replaceChildren(page.node);
  for (const link of document.querySelectorAll('nav a')) {
    if (link.hash === (location.hash || '#/')) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  byId('page').focus({ preventScroll: true });
  scrollTo(0, 0);
  await update();
}

let reading = null;
let unread = false;

/** Reads again what may have changed; news that come meanwhile are read once after it. */
function update() {
  if (reading) unread = true;
  reading ??= readAll().finally(() => {
    reading = null;
    if (unread) update();
  });
  return reading;
}

async function readAll() {
  unread = false;
  const shown = page;
  try {
    const lobby = await ask('GET', '/api/lobby');
    follow(lobby);
    if (shown === page) shown.takeLists?.(lobby);
    if (shown === page) await shown.load?.();
  } catch (error) {
    refused(error);
  }
}

function refused(error) {
  if (error.status === 401 || error.status === 403) {
    byId('page').replaceChildren(
      element(
        'div',
        { class: 'narrow' },
        element(
          'div',
          { class: 'card' },
          element('h1', {}, 'The door is closed'),
          element(
            'p',
            {},
            "Open the address that 'chakart web' has printed: it carries the key to this page, and is made anew each time the program starts.",
          ),
        ),
      ),
    );
  } else if (error.status === 404) {
    byId('page').replaceChildren(
      element(
        'div',
        { class: 'narrow' },
        element(
          'div',
          { class: 'card' },
          element('h1', {}, 'Not found'),
          element('p', {}, error.words),
          element('a', { class: 'button', href: '#/' }, 'To your games'),
        ),
      ),
    );
  } else if (error.words) {
    toast(error.words, 'fault');
  } else {
    throw error;
  }
}

function linked(isUp) {
  byId('offline').hidden = isUp;
  if (isUp && !isLinked) update();
  isLinked = isUp;
}

async function start() {
  startSettings();
  startNotifications();
  try {
    await addSheet('/symbols.svg');
    await addSheet('/symbols_letters.svg');
    await letIn();
  } catch (error) {
    return refused(error);
  }
  addEventListener('hashchange', () => letIn().then(route, refused));
  byId('skip').addEventListener('click', (event) => {
    event.preventDefault();
    byId('page').focus();
  });
  document.addEventListener('keydown', (event) => page?.key?.(event));
  await route();
  onSetting((name) => name === 'pieces' && page.board?.redraw());
  listen({ changed: update, closed: update, told: (game, words) => toast(words), linked });
}

start();
