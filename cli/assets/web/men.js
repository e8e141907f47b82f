// What the letters of a board stand for, and where its squares are.

const ROLES = { p: 'pawn', r: 'rook', n: 'knight', b: 'bishop', q: 'queen', k: 'king' };
const HELD = { s: 'p', u: 'r', o: 'n', c: 'b', t: 'q', l: 'k' };
const OBJECTS = { w: 'bomb', d: 'banana', e: 'egg', m: 'mushroom' };
const FILES = 'abcdefgh';

/** All squares, a1, b1 … h8: the order of the letters of a board. */
export const SQUARES = Array.from(
  { length: 64 },
  (_, index) => FILES[index % 8] + (1 + Math.floor(index / 8)),
);

/** The place of a square in a board. */
export function indexOf(square) {
  return FILES.indexOf(square[0]) + 8 * (Number(square[1]) - 1);
}

/** File and rank, from 0. */
export function coordinates(square) {
  return { file: FILES.indexOf(square[0]), rank: Number(square[1]) - 1 };
}

/** The letter on a square. */
export function letterAt(board, square) {
  return board[indexOf(square)];
}

/** A board with some squares changed. */
export function withSet(board, set) {
  const letters = [...board];
  for (const [square, letter] of Object.entries(set)) letters[indexOf(square)] = letter;
  return letters.join('');
}

/** What a letter shows: symbol, colour (none for an object), whether it is immobilised, words; null for nothing. */
export function occupantOf(letter) {
  if (OBJECTS[letter]) return { symbol: OBJECTS[letter], color: null, held: false, words: OBJECTS[letter] };
  const small = letter.toLowerCase();
  const role = ROLES[HELD[small] ?? small];
  if (!role) return null;
  const color = letter === small ? 'black' : 'white';
  const held = small in HELD;
  return { symbol: role, color, held, words: `${color} ${role}${held ? ', immobilised' : ''}` };
}

/** The other colour. */
export function otherColor(color) {
  return color === 'white' ? 'black' : 'white';
}
