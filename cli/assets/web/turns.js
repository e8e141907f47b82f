// Tells a person who looks elsewhere that it is their turn.

import { byId } from './dom.js';

let mine = null;

/** Takes the list of games: the title counts those that wait for this player, and new ones are notified. */
export function follow({ games }) {
  const now = games.filter((game) => game.mine);
  document.title = now.length ? `(${now.length}) Your move - Chakart` : 'Chakart';
  const fresh = mine === null ? [] : now.filter((game) => !mine.has(game.name));
  mine = new Set(now.map((game) => game.name));
  if (fresh.length && document.hidden && canNotify()) fresh.forEach(notify);
}

function canNotify() {
  return 'Notification' in window && Notification.permission === 'granted';
}

function notify({ name, words }) {
  const note = new Notification('Your move', { body: words, tag: name });
  note.addEventListener('click', () => {
    window.focus();
    location.hash = `#/game/${encodeURIComponent(name)}`;
  });
}

/** Connects the button that asks for permission; there is none where it was answered already. */
export function startNotifications() {
  const control = byId('notify');
  control.hidden = !('Notification' in window) || Notification.permission !== 'default';
  control.addEventListener('click', async () => {
    await Notification.requestPermission();
    control.hidden = true;
  });
}
