// Acts shown step by step.

import { UNIT } from './board.js';
import { withSet } from './men.js';
import { isStill } from './settings.js';

const SLIDE_MS = 210;
const CHANGE_MS = 180;
const WORDS_MS = 250;

/** Shows the steps of an act on a board that stands as before it. `tell(text)` gets each sentence; `live()` ends it. */
export async function playSteps(board, act, tell, live, isDone = () => false) {
  for (const step of act.steps) {
    if (!live()) return;
    tell(step.text);
    if (!isStill() && !isDone(step)) await moved(board, step);
    if (!live()) return;
    board.show(withSet(board.letters, step.set), board.hidden);
    if (!isStill()) await appeared(board, step);
  }
}

async function moved(board, step) {
  const node = step.from && step.to ? board.nodeAt(step.from) : null;
  if (node) return slid(board, node, step);
  const gone = Object.entries(step.set).filter(([, letter]) => letter === '.');
  await Promise.all(gone.map(([square]) => shrunk(board.nodeAt(square))));
}

function slid(board, node, step) {
  const [from, to] = [board.place(step.from), board.place(step.to)];
  node.parentNode.append(node);
  const frames = [from, to].map(({ x, y }) => ({ transform: `translate(${x}px, ${y}px)` }));
  return finished(node.animate(frames, { duration: SLIDE_MS, easing: 'ease-in-out' }));
}

function shrunk(node) {
  if (!node) return null;
  const frames = [{ opacity: 1 }, { opacity: 0 }];
  return finished(node.animate(frames, { duration: CHANGE_MS, easing: 'ease-in', fill: 'forwards' }));
}

async function appeared(board, step) {
  if (step.from && step.to) return;
  const here = Object.entries(step.set).filter(([, letter]) => letter !== '.');
  if (!Object.keys(step.set).length) return waited(WORDS_MS);
  await Promise.all(here.map(([square]) => grown(board.nodeAt(square))));
}

function grown(node) {
  const drawn = [...(node?.children ?? [])];
  const frames = [
    { transform: 'scale(0.4)', opacity: 0.2, transformOrigin: `${UNIT / 2}px ${UNIT / 2}px` },
    { transform: 'scale(1)', opacity: 1, transformOrigin: `${UNIT / 2}px ${UNIT / 2}px` },
  ];
  const timing = { duration: CHANGE_MS, easing: 'cubic-bezier(0.3, 1.4, 0.5, 1)' };
  return Promise.all(drawn.map((child) => finished(child.animate(frames, timing))));
}

function waited(duration) {
  return new Promise((resolve) => setTimeout(resolve, duration));
}

/** A page in the background gets no frames: the clock goes on for it. */
function finished(animation) {
  const { duration } = animation.effect.getTiming();
  return Promise.race([animation.finished.catch(() => null), waited(2 * duration)]);
}
