// The page that checks a transcript by itself: no server, no network.
import { announce, button, byId, element } from './dom.js';
import { Board } from './board.js';
import { Film } from './film.js';
import { looksForm, wearLooks } from './settings.js';

/** Files that are longer than this are not even read, in bytes. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;

/** Draws the page; `check(text)` gives the verdict, the report and, of a transcript, the film. */
export function startVerifyPage(check) {
  wearLooks();
  let board = null;
  byId('looks').append(looksForm(() => board?.redraw()));
  const result = element('div', { id: 'result', class: 'page wide' });
  const checked = (text) => {
    const report = check(text);
    const drawn = verdictOf(report);
    result.replaceChildren(...drawn);
    board = report.film ? filmOf(report.film, result) : null;
    announce(report.line);
    byId('verdict').scrollIntoView({ block: 'nearest' });
  };
  byId('page').replaceChildren(element('main', { class: 'page wide' }, element('h1', {}, 'Check a transcript'), dropZone(checked)), result);
}

function dropZone(checked) {
  const file = element('input', { id: 'file', type: 'file', accept: '.chakart,.txt,text/plain' });
  const paste = element('textarea', { id: 'paste', rows: 4, placeholder: '… or paste it here', aria: { label: 'Transcript' } });
  const read = async (given) => {
    if (!given) return;
    if (given.size > MAX_FILE_BYTES) checked('');
    else checked(await given.text());
  };
  file.onchange = () => read(file.files[0]);
  const zone = element('section', { id: 'drop', class: 'drop' },
    element('p', {}, 'Drop a transcript of a game here. It is checked on this machine: every signature, every random result, every hidden move. Nothing is sent anywhere.'),
    element('label', {}, 'Choose a file: ', file), paste, button('Check it', () => checked(paste.value), { id: 'check', class: 'main' }));
  const over = (on) => (event) => {
    event.preventDefault();
    zone.classList.toggle('over', on);
  };
  zone.ondragover = over(true);
  zone.ondragleave = over(false);
  zone.ondrop = (event) => {
    over(false)(event);
    read(event.dataTransfer.files[0]);
  };
  return zone;
}

function verdictOf({ verdict, line, text, no }) {
  return [
    element('p', { id: 'verdict', class: `verdict ${no ? 'no' : 'yes'}`, data: { verdict } }, `${no ? '✘' : '✔'} ${line}`),
    element('pre', { id: 'report', class: 'rules', tabIndex: 0 }, text),
  ];
}

function filmOf({ title, players, start, acts }, result) {
  const board = new Board({ label: 'Board' });
  const film = new Film((again) => (again ? replay() : draw()));
  const draw = () => {
    const position = film.positionAfter(film.count());
    if (position) board.show(position, { last: film.lastSquares() });
  };
  let playing = false;
  const replay = async () => {
    const count = film.count();
    if (playing || count === 0) return;
    playing = true;
    await board.animate(film.positionAfter(count - 1).board, acts[count - 1].steps, (step) => announce(step.text));
    playing = false;
    draw();
  };
  const on = () => {
    film.show(film.count() + 1);
    replay();
  };
  const names = players.map(({ color, name }) => element('p', {}, `${color ?? 'no colour yet'}: ${name}`));
  const side = element('div', { class: 'side' }, element('header', { class: 'standing' }, element('h2', {}, title), ...names), film.element,
    element('p', {}, button('Play the next move', on, { id: 'next', class: 'main' })));
  result.append(element('div', { class: 'table' }, element('div', { class: 'boardside' }, board.element), side));
  film.take(start, acts);
  film.show(0);
  draw();
  return board;
}
