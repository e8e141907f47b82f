// The page that the program serves: lets itself in, shows what the address names, and follows the news.

import { ask, isWaiting, listen } from './api.js';
import { byId, capitalised, element, toast } from './dom.js';
import { LobbyPage } from './lobby.js';
import { luckPanel } from './luck.js';
import { InvitePage, OfferFormPage } from './offer.js';
import { onSetting, startSettings } from './settings.js';
import { addSheet } from './sheet.js';
import { TablePage } from './table.js';
import { follow, startNotifications } from './turns.js';

let page = null;
let isLinked = true;
let isShut = false;

const CLOSED =
  "Open the address that 'chakart web' has printed. It carries the key to this page, and is made anew each time.";

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
  isShut = false;
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
    isShut = true;
    byId('offline').hidden = true;
    showNotice('The door is closed', CLOSED);
  } else if (error.status === 404) {
    showNotice(
      'Not found',
      capitalised(error.words),
      element('a', { class: 'button', href: '#/' }, 'To your games'),
    );
  } else if (error.words) {
    // While nothing answers, the line at the top says so.
    if (isLinked) toast(error.words, 'fault');
  } else {
    throw error;
  }
}

function showNotice(title, words, ...more) {
  const card = element(
    'div',
    { class: 'card notice-page' },
    element('h1', {}, title),
    element('p', {}, words),
    ...more,
  );
  byId('page').replaceChildren(element('div', { class: 'narrow' }, card));
}

function linked(isUp) {
  byId('offline').hidden = isUp || isShut;
  if (isUp && !isLinked) update();
  isLinked = isUp;
}

/** Goes where the address bar says; the secret of a fresh address opens the door again. */
async function enter() {
  try {
    await letIn();
    await route();
  } catch (error) {
    refused(error);
  }
}

async function start() {
  startSettings();
  startNotifications();
  await Promise.all(['/symbols.svg', '/symbols_letters.svg'].map(addSheet));
  addEventListener('hashchange', enter);
  document.addEventListener('keydown', (event) => page?.key?.(event));
  onSetting((name) => name === 'pieces' && page?.board?.redraw());
  byId('skip').addEventListener('click', (event) => {
    event.preventDefault();
    byId('page').focus();
  });
  await enter();
  listen({ changed: update, closed: update, told: (game, words) => toast(words), linked });
}

start();
