// The page that checks transcripts offline, and shows the game on the board.

import { Board } from './board.js';
import { button, byId, capitalised, element, signOf } from './dom.js';
import { Film } from './film.js';
import { History, isFree } from './history.js';
import { otherColor } from './men.js';
import { onSetting, startSettings } from './settings.js';

/** The largest file that the verifier reads, in bytes. It is given one more of a longer one, and says so. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** Verdicts of a game that is proven as far as it goes; evidence and claims are neither good nor bad. */
const GOOD = ['finished', 'unfinished'];

/** Connects the page. `check` takes a text or its bytes, and gives the verdict, the report and the film of a transcript. */
export function startVerifyPage(check) {
  startSettings();
  const judge = (file) => showVerdict(check(file));
  byId('file').addEventListener('change', (event) => readFile(event.target.files[0], judge));
  byId('check').addEventListener('click', () => judge(byId('paste').value));
  const drop = byId('drop');
  addEventListener('dragover', (event) => {
    event.preventDefault();
    drop.classList.add('over');
  });
  addEventListener('dragleave', () => drop.classList.remove('over'));
  addEventListener('drop', (event) => {
    event.preventDefault();
    drop.classList.remove('over');
    readFile(event.dataTransfer.files[0], judge);
  });
  document.addEventListener('keydown', pressKey);
  onSetting((name) => name === 'pieces' && shown?.board.redraw());
}

let shown = null;

async function readFile(file, judge) {
  if (file) judge(new Uint8Array(await file.slice(0, MAX_FILE_BYTES + 1).arrayBuffer()));
}

function showVerdict({ verdict, line, text, no, film }) {
  const box = byId('verdict');
  const kind = no ? 'bad' : GOOD.includes(verdict) ? 'good' : 'doubt';
  box.dataset.verdict = verdict;
  box.className = `verdict ${kind}`;
  box.hidden = false;
  box.replaceChildren(signOf(kind), element('strong', {}, capitalised(line)));
  byId('report').textContent = text;
  byId('report-box').hidden = !text;
  byId('replay').replaceChildren(...(film ? replay(film) : []));
  box.focus();
  box.scrollIntoView({ block: 'start' });
}

/** The game of a transcript, to be stepped through. */
function replay({ title, players, start, acts }) {
  const board = new Board(() => {});
  const history = new History(board, () => {});
  const strips = [element('div', { class: 'strip' }), element('div', { class: 'strip' })];
  shown = { board, history };
  const label = () => {
    fillPlayer(strips[0], otherColor(board.bottom), players);
    fillPlayer(strips[1], board.bottom, players);
  };
  const flip = () => {
    board.turn(otherColor(board.bottom));
    label();
  };
  shown.flip = flip;
  label();
  history.take(new Film(start, acts));
  history.show(0);
  const side = element('div', { class: 'card acts' }, history.list, history.controls);
  const under = element(
    'div',
    { class: 'under' },
    history.caption,
    button('Flip', { id: 'flip', title: 'The other side to the bottom (f)', onclick: flip }),
  );
  const play = element(
    'section',
    { class: 'play', 'aria-label': 'Board' },
    strips[0],
    element('div', { class: 'board-wrap' }, board.frame),
    strips[1],
    under,
  );
  return [
    element('h2', {}, title),
    element(
      'div',
      { class: 'table replay' },
      play,
      element('section', { class: 'panel', 'aria-label': 'Acts' }, side),
    ),
  ];
}

function fillPlayer(node, color, players) {
  const player = players.find((each) => each.color === color);
  node.replaceChildren(
    element('span', { class: `side ${color}`, role: 'img', 'aria-label': capitalised(color) }),
    element('span', { class: 'name' }, player?.name || capitalised(color)),
  );
}

function pressKey(event) {
  if (!shown || event.ctrlKey || event.metaKey || event.altKey) return;
  const onBoard = shown.board.grid.contains(event.target);
  if (!onBoard && !isFree(event.target)) return;
  if (event.key === 'f') shown.flip();
  else if ((onBoard && event.key.startsWith('Arrow')) || !shown.history.key(event.key)) return;
  event.preventDefault();
}
