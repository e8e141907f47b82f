// Men that are dragged by mouse, finger or pen.

import { UNIT } from './board.js';

/** Pixels after which a press is a drag and no click. */
const SLACK = 5;

/** Lets men be dragged. `lifted(square)` says whether one may be; `dropped(from, point)` gets a square or 'off'. */
export function makeDraggable(board, lifted, dropped) {
  let drag = null;
  board.grid.addEventListener('pointerdown', (event) => {
    const from = event.target.dataset.square;
    if (event.button !== 0 || !from || !event.target.classList.contains('movable')) return;
    drag = { from, id: event.pointerId, x: event.clientX, y: event.clientY, node: null };
  });
  board.grid.addEventListener('pointermove', (event) => {
    if (event.pointerId !== drag?.id) return;
    if (!drag.node && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < SLACK) return;
    if (!drag.node && !lift(board, drag, lifted)) drag = null;
    else carry(board, drag.node, event);
  });
  const end = (event) => {
    if (event.pointerId !== drag?.id) return;
    const { from, node } = drag;
    drag = null;
    if (!node) return;
    swallowClick();
    node.classList.remove('carried');
    const point = board.squareAt(event.clientX, event.clientY) ?? 'off';
    const back = () => putBack(board, from, node);
    if (event.type === 'pointercancel' || point === from || !dropped(from, point)) back();
  };
  board.grid.addEventListener('pointerup', end);
  board.grid.addEventListener('pointercancel', end);
}

function lift(board, drag, lifted) {
  drag.node = board.nodeAt(drag.from);
  if (!drag.node || !lifted(drag.from)) return false;
  drag.node.classList.add('carried');
  drag.node.parentNode.append(drag.node);
  // What happens beside the board is heard too.
  board.grid.setPointerCapture(drag.id);
  return true;
}

function carry(board, node, event) {
  const box = board.svg.getBoundingClientRect();
  const scale = (8 * UNIT) / box.width;
  const [x, y] = [
    (event.clientX - box.left) * scale - UNIT / 2,
    (event.clientY - box.top) * scale - UNIT / 2,
  ];
  node.setAttribute('transform', `translate(${x} ${y})`);
}

function putBack(board, square, node) {
  const { x, y } = board.place(square);
  node.setAttribute('transform', `translate(${x} ${y})`);
}

/** The end of a drag over the button where it began counts as a click, which nobody means. */
function swallowClick() {
  const swallow = (event) => {
    event.stopPropagation();
    event.preventDefault();
  };
  addEventListener('click', swallow, { capture: true, once: true });
  setTimeout(() => removeEventListener('click', swallow, { capture: true }), 0);
}
