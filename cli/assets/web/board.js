// The board: one drawing under 64 buttons. It draws what it is given and says where somebody points; it knows no rules.
import { drawn, element, wantsStillness } from './dom.js';
import { remembered } from './settings.js';

const FILES = 'abcdefgh';
const SIDE = 48;
const STEP_MS = 190;
/** Pixels that a pointer moves before a click becomes a drag. */
const DRAG_FROM = 7;

const ROLES = { p: 'pawn', n: 'knight', b: 'bishop', r: 'rook', q: 'queen', k: 'king' };
const IMMOBILISED = { s: 'p', o: 'n', c: 'b', u: 'r', t: 'q', l: 'k' };
const OBJECTS = { w: 'bomb', d: 'banana', e: 'egg', m: 'mushroom' };

/** The index of a square in the text of a board. */
export function squareIndex(square) {
  return (square.charCodeAt(1) - 49) * 8 + FILES.indexOf(square[0]);
}

/** All squares, a1 first. */
export const SQUARES = Array.from({ length: 64 }, (_, index) => FILES[index % 8] + (1 + Math.floor(index / 8)));

/** What a letter of a board stands for; null for an empty square. */
export function occupantOf(letter) {
  if (letter === '.' || letter === undefined) return null;
  if (OBJECTS[letter]) return { object: OBJECTS[letter], words: OBJECTS[letter] };
  const lower = letter.toLowerCase();
  const immobilised = lower in IMMOBILISED;
  const role = ROLES[immobilised ? IMMOBILISED[lower] : lower];
  const color = letter === lower ? 'black' : 'white';
  return { role, color, immobilised, words: `${color} ${role}${immobilised ? ', immobilised' : ''}` };
}

/** What a square shows, in words. */
export function squareWords(position, square) {
  const occupant = occupantOf(position.board[squareIndex(square)]);
  const { hidden } = position;
  if (occupant) return occupant.words;
  if (hidden?.square === square) return `${hidden.color} queen, hidden from your opponent`;
  if (hidden?.origin === square) return `empty, a ${hidden.color} queen left it unseen`;
  return 'empty';
}

/** A board. `onPoint(square)` tells of a click; `onDrag(from, to)` of a man put elsewhere, `off` beside the board. */
export class Board {
  constructor({ onPoint = () => {}, onDrag = () => {}, mayDrag = () => false, label = 'Board' } = {}) {
    Object.assign(this, { onPoint, onDrag, mayDrag });
    this.bottom = 'white';
    this.marks = {};
    this.position = { board: '.'.repeat(64), hidden: null };
    this.at = 'e2';
    this.ground = drawn('g');
    this.shapes = drawn('g');
    this.men = drawn('g', { class: 'men' });
    this.flying = drawn('g');
    const frame = drawn('svg', { viewBox: `0 0 ${8 * SIDE} ${8 * SIDE}`, class: 'drawing', 'aria-hidden': 'true' });
    frame.append(this.ground, this.shapes, this.men, this.flying);
    this.grid = element('div', { id: 'board', class: 'squares', role: 'grid', aria: { label } });
    this.grid.addEventListener('keydown', (event) => this.walk(event));
    this.element = element('div', { class: 'board' }, frame, this.grid);
    this.lay();
  }

  /** Draws a position with its marks: `last`, `targets`, `captures`, `proposed` (lists of squares) and `from`. */
  show(position, marks = {}, bottom = this.bottom) {
    const turned = bottom !== this.bottom;
    Object.assign(this, { position, marks, bottom });
    if (turned) this.lay();
    this.redraw();
  }

  /** Draws it again, as after another look was chosen. */
  redraw() {
    this.drawMen(this.position);
    this.drawMarks();
    for (const square of SQUARES) this.label(square);
  }

  /** Plays the steps of an act, from the board before it. */
  async animate(before, steps, tell = () => {}) {
    const letters = [...before];
    this.shapes.replaceChildren();
    this.drawMen({ board: before, hidden: null });
    for (const step of steps) {
      tell(step);
      const changes = Object.entries(step.set ?? {});
      if (changes.length === 0 && !step.to) continue;
      await this.fly(step);
      for (const [square, letter] of changes) letters[squareIndex(square)] = letter;
      this.drawMen({ board: letters.join(''), hidden: null });
      for (const square of [step.from, step.to, step.square]) if (square) this.shapes.append(this.corners(square, 'last'));
    }
  }

  focus(square = this.at) {
    this.buttons.get(square)?.focus();
  }

  // The place of the upper left corner of a square.
  place(square) {
    const file = FILES.indexOf(square[0]);
    const rank = square.charCodeAt(1) - 49;
    const [column, row] = this.bottom === 'white' ? [file, 7 - rank] : [7 - file, rank];
    return [column * SIDE, row * SIDE];
  }

  squareAt(column, row) {
    return this.bottom === 'white' ? FILES[column] + (8 - row) : FILES[7 - column] + (row + 1);
  }

  lay() {
    this.buttons = new Map();
    this.ground.replaceChildren();
    const rows = [];
    for (let row = 0; row < 8; row += 1) {
      const cells = [];
      for (let column = 0; column < 8; column += 1) {
        const square = this.squareAt(column, row);
        cells.push(element('span', { role: 'gridcell' }, this.squareButton(square)));
        this.layGround(square, column, row);
      }
      rows.push(element('div', { role: 'row', class: 'row' }, ...cells));
    }
    this.grid.replaceChildren(...rows);
  }

  layGround(square, column, row) {
    const light = (column + row) % 2 === 0 ? 'light' : 'dark';
    const [x, y] = [column * SIDE, row * SIDE];
    this.ground.append(drawn('rect', { x, y, width: SIDE, height: SIDE, class: `square ${light}` }));
    const letter = (text, dx, dy, anchor) =>
      this.ground.append(drawn('text', { x: x + dx, y: y + dy, class: `coordinate on-${light}`, 'text-anchor': anchor }, text));
    if (row === 7) letter(square[0], SIDE - 3, SIDE - 3, 'end');
    if (column === 0) letter(square[1], 3, 11, 'start');
  }

  squareButton(square) {
    const made = element('button', { type: 'button', class: 'point', data: { square }, tabIndex: square === this.at ? 0 : -1 });
    made.onclick = () => this.pointed(square);
    made.onfocus = () => this.moveTo(square);
    made.onpointerdown = (event) => this.press(event, square);
    this.buttons.set(square, made);
    return made;
  }

  pointed(square) {
    if (this.dragged) this.dragged = false;
    else this.onPoint(square);
  }

  moveTo(square) {
    this.buttons.get(this.at).tabIndex = -1;
    this.at = square;
    this.buttons.get(square).tabIndex = 0;
  }

  walk(event) {
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1], Home: [-7, 0], End: [7, 0] };
    const way = ways[event.key];
    if (!way || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    const [x, y] = this.place(this.at);
    const within = (value) => Math.min(7, Math.max(0, value));
    this.focus(this.squareAt(within(x / SIDE + way[0]), within(y / SIDE + way[1])));
  }

  label(square) {
    const { targets = [], captures = [], last = [], from } = this.marks;
    const said = [square, squareWords(this.position, square)];
    if (from === square) said.push('chosen');
    if (captures.includes(square)) said.push('can be captured');
    else if (targets.includes(square)) said.push('can be reached');
    if (last.includes(square)) said.push('last move');
    const made = this.buttons.get(square);
    made.setAttribute('aria-label', said.join(', '));
    made.classList.toggle('reachable', targets.includes(square) || captures.includes(square) || this.mayDrag(square));
  }

  drawMen(position) {
    this.men.replaceChildren();
    for (const [index, letter] of [...position.board].entries()) {
      const occupant = occupantOf(letter);
      if (occupant) this.men.append(this.shape(SQUARES[index], occupant));
    }
    const { hidden } = position;
    if (hidden?.square) this.men.append(this.shape(hidden.square, { role: 'queen', color: hidden.color }, 'faint'));
    for (const square of [hidden?.origin, hidden?.square]) {
      if (square) this.men.append(this.used('hidden', square, `man ${hidden.color}`));
    }
  }

  shape(square, { role, color, object, immobilised }, more = '') {
    const letters = remembered('pieces', 'figures') === 'letters';
    const group = drawn('g', { 'data-at': square, class: more });
    if (object) group.append(this.used(object, square, 'object'));
    else group.append(this.used(letters ? `letter-${role}` : role, square, `man ${color}`));
    if (immobilised) group.append(this.used('immobilised', square, 'object'));
    return group;
  }

  used(symbol, square, kind) {
    const [x, y] = this.place(square);
    return drawn('use', { href: `#${symbol}`, x, y, width: SIDE, height: SIDE, class: kind });
  }

  drawMarks() {
    const { targets = [], captures = [], last = [], proposed = [], from } = this.marks;
    this.shapes.replaceChildren();
    for (const square of last) this.shapes.append(this.corners(square, 'last'));
    for (const square of proposed) this.shapes.append(this.corners(square, 'proposed'));
    if (from) this.shapes.append(this.filled(from, 'chosen'));
    for (const square of targets) this.shapes.append(this.round(square, SIDE * 0.15, 'dot'));
    for (const square of captures) this.shapes.append(this.round(square, SIDE * 0.44, 'ring'));
  }

  filled(square, kind) {
    const [x, y] = this.place(square);
    return drawn('rect', { x, y, width: SIDE, height: SIDE, class: kind });
  }

  round(square, r, kind) {
    const [x, y] = this.place(square);
    return drawn('circle', { cx: x + SIDE / 2, cy: y + SIDE / 2, r, class: kind });
  }

  // A shape, not only a colour, so that the last move is seen by everybody.
  corners(square, kind) {
    const [x, y] = this.place(square);
    const [a, b, c, d, l] = [x + 2, x + SIDE - 2, y + 2, y + SIDE - 2, 11];
    const path = `M${a} ${c + l}V${c}h${l}M${b - l} ${c}h${l}v${l}M${b} ${d - l}v${l}h${-l}M${a + l} ${d}H${a}v${-l}`;
    return drawn('path', { d: path, class: `corners ${kind}` });
  }

  async fly({ from, to, event }) {
    if (wantsStillness()) return;
    const going = from && to ? this.men.querySelectorAll(`[data-at="${from}"]`) : [];
    const [x, y] = to ? this.place(to) : [0, 0];
    const [u, v] = from ? this.place(from) : [0, 0];
    const way = [{ transform: 'translate(0, 0)' }, { transform: `translate(${x - u}px, ${y - v}px)` }];
    const timing = { duration: STEP_MS, easing: 'ease-in-out' };
    if (event === 'shell-thrown') {
      const shell = drawn('circle', { cx: u + SIDE / 2, cy: v + SIDE / 2, r: 9, class: 'shell' });
      this.flying.append(shell);
      await shell.animate(way, timing).finished.catch(() => {});
      shell.remove();
      return;
    }
    const waits = [...going].map((man) => man.animate(way, timing).finished.catch(() => {}));
    await (waits.length ? Promise.all(waits) : new Promise((done) => setTimeout(done, STEP_MS * 0.7)));
  }

  press(event, square) {
    if (event.button !== 0 || !this.mayDrag(square)) return;
    const start = [event.clientX, event.clientY];
    const scale = (8 * SIDE) / this.grid.getBoundingClientRect().width;
    const shapes = this.men.querySelectorAll(`[data-at="${square}"]`);
    const move = ({ clientX, clientY }) => {
      const [dx, dy] = [clientX - start[0], clientY - start[1]];
      if (!this.dragged && Math.hypot(dx, dy) < DRAG_FROM) return;
      this.dragged = true;
      for (const shape of shapes) shape.style.transform = `translate(${dx * scale}px, ${dy * scale}px)`;
    };
    const finish = ({ clientX, clientY, type }) => {
      removeEventListener('pointermove', move);
      removeEventListener('pointerup', finish);
      removeEventListener('pointercancel', finish);
      for (const shape of shapes) shape.style.transform = '';
      // The click that ends a drag comes before this.
      setTimeout(() => { this.dragged = false; });
      if (this.dragged && type === 'pointerup') this.dropped(square, clientX, clientY);
    };
    addEventListener('pointermove', move);
    addEventListener('pointerup', finish);
    addEventListener('pointercancel', finish);
  }

  dropped(from, x, y) {
    const under = document.elementsFromPoint(x, y).map((hit) => hit.dataset?.square).find(Boolean);
    if (under !== from) this.onDrag(from, under ?? 'off');
  }
}
