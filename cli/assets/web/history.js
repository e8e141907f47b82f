// The acts of a game with what came of them, and the board after any of them.

import { announce, element, signButton } from './dom.js';
import { playSteps } from './motion.js';

/** Acts that are shown one after the other when more have come than a person wants to wait for. */
const MAX_SHOWN_AT_ONCE = 4;
/** Pixels that stay free around the act that is shown. */
const MARGIN = 8;

/** Steps through a film on a board. `changed()` is called when another board is shown. */
export class History {
  constructor(board, changed) {
    this.board = board;
    this.changed = changed;
    this.film = null;
    this.count = 0;
    this.moving = false;
    this.playing = false;
    this.run = 0;
    this.list = element('ol', { id: 'moves', 'aria-label': 'Acts', tabindex: '0' });
    this.caption = element('p', { class: 'caption' });
    this.controls = this.#controls();
    this.list.addEventListener('click', (event) => this.#clicked(event));
    new ResizeObserver(() => this.#reveal()).observe(this.list);
  }

  /** Whether the board is shown as it is now. */
  isAtEnd() {
    return this.film !== null && this.count === this.film.acts.length;
  }

  /** Takes a film. Whoever looked at the end sees what has come since, step by step; `isDone(step)` leaves out a slide. */
  async take(film, isDone) {
    const before = this.film;
    const atEnd = before === null || this.isAtEnd() || this.moving;
    const seen = this.moving ? this.count : (before?.acts.length ?? film.acts.length);
    const isMore = film.acts.length > (before?.acts.length ?? film.acts.length);
    this.film = film;
    this.#fillList();
    if (!atEnd) return this.show(Math.min(this.count, film.acts.length));
    if (isMore) return this.#playFrom(Math.max(seen, film.acts.length - MAX_SHOWN_AT_ONCE), isDone);
    if (!this.moving) this.show(film.acts.length);
    return null;
  }

  /** Shows the board after so many acts. */
  show(count) {
    this.stop();
    this.#pause();
    this.#settle(count);
  }

  /** Stops what is moving. */
  stop() {
    this.run += 1;
    this.moving = false;
  }

  /** Goes one act on, step by step. */
  next() {
    if (this.count < this.film.acts.length) return this.#playFrom(this.count, undefined, this.count + 1);
    return null;
  }

  back() {
    this.show(Math.max(0, this.count - 1));
  }

  /** Plays the film from here, or from the start if it is at its end; or stops. */
  toggle() {
    if (this.playing) return this.show(this.count);
    const from = this.isAtEnd() ? 0 : this.count;
    this.playing = true;
    this.#sign();
    return this.#playFrom(from);
  }

  /** Handles the keys that step; true if it was one. */
  key(key) {
    const { film, count } = this;
    if (!film) return false;
    if (key === 'ArrowLeft' || key === '[') this.back();
    else if (key === 'ArrowRight' || key === ']') this.next();
    else if (key === 'ArrowUp') this.show(film.turnBefore(count));
    else if (key === 'ArrowDown') this.show(film.turnNext(count));
    else if (key === 'Home') this.show(0);
    else if (key === 'End') this.show(film.acts.length);
    else return false;
    return true;
  }

  async #playFrom(from, isDone, until = this.film.acts.length) {
    this.run += 1;
    const run = this.run;
    const live = () => run === this.run;
    this.moving = true;
    this.#settle(from);
    for (let count = from; count < until && live(); count += 1) {
      const act = this.film.acts[count];
      this.count = count + 1;
      this.#point();
      this.board.mark({ last: act.marked });
      await playSteps(this.board, act, (text) => this.#tell(act, text), live, isDone);
      if (live()) this.#settle(count + 1);
      if (live() && this.playing) await new Promise((resolve) => setTimeout(resolve, 500));
    }
    if (!live()) return;
    this.moving = false;
    this.#pause();
    this.changed();
  }

  #tell(act, text) {
    this.caption.textContent = text;
    announce(`${act.notation}: ${text}`);
  }

  #settle(count) {
    this.count = count;
    const { board, hidden } = this.film.after(count);
    this.board.show(board, hidden);
    this.board.mark({ last: this.film.markedAfter(count) });
    if (!this.moving)
      this.caption.textContent = count === 0 ? '' : (this.film.acts[count - 1].steps.at(-1)?.text ?? '');
    this.#point();
    this.changed();
  }

  #pause() {
    this.playing = false;
    this.#sign();
  }

  #sign() {
    const play = this.controls.querySelector('[data-step="toggle"]');
    const fresh = signButton(
      this.playing ? 'pause' : 'play',
      this.playing ? 'Stop' : 'Play the acts from here',
      { 'data-step': 'toggle' },
    );
    const focused = document.activeElement === play;
    play.replaceWith(fresh);
    if (focused) fresh.focus();
  }

  #fillList() {
    const start = entry(0, 'The board at the start', [], '');
    const entries = this.film.acts.map((act, index) => entry(index + 1, act.headline, act.steps, act.color));
    const wanted = [start, ...entries];
    const here = [...this.list.children];
    wanted.forEach((item, index) => {
      if (here[index]?.textContent === item.textContent) return;
      if (here[index]) here[index].replaceWith(item);
      else this.list.append(item);
    });
    for (const item of here.slice(wanted.length)) item.remove();
  }

  /** Marks the act that is shown, and what stepping can do from there. */
  #point() {
    for (const item of this.list.children) {
      const current = Number(item.dataset.count) === this.count;
      item.classList.toggle('current', current);
      const head = item.firstElementChild;
      if (current) head.setAttribute('aria-current', 'step');
      else head.removeAttribute('aria-current');
    }
    this.#reveal();
    for (const control of this.controls.children) {
      const step = control.dataset.step;
      const idle =
        step === 'first' || step === 'back' ? this.count === 0 : step !== 'toggle' && this.isAtEnd();
      control.setAttribute('aria-disabled', String(idle));
    }
  }

  /** Brings the act that is shown into sight, inside the list only. */
  #reveal() {
    const { list } = this;
    const item = list.querySelector('.current');
    if (!item) return;
    const [outer, inner] = [list.getBoundingClientRect(), item.getBoundingClientRect()];
    const [above, below] = [outer.top + MARGIN - inner.top, inner.bottom + MARGIN - outer.bottom];
    if (above > 0) list.scrollTop -= above;
    else if (below > 0) list.scrollTop += below;
  }

  #clicked(event) {
    const item = event.target.closest('li[data-count]');
    if (item) this.show(Number(item.dataset.count));
  }

  #controls() {
    const steps = [
      ['first', 'First board'],
      ['back', 'One act back'],
      ['toggle', 'Play the acts from here', 'play'],
      ['next', 'One act on'],
      ['last', 'Board as it is'],
    ];
    const buttons = steps.map(([step, words, sign]) =>
      signButton(sign ?? step, words, { 'data-step': step }),
    );
    const controls = element(
      'div',
      { class: 'steps', role: 'group', 'aria-label': 'Step through the acts' },
      buttons,
    );
    controls.addEventListener('click', (event) => this.#step(event.target.closest('button')?.dataset.step));
    return controls;
  }

  #step(step) {
    if (!step || !this.film) return;
    if (step === 'first') this.show(0);
    if (step === 'back') this.back();
    if (step === 'toggle') this.toggle();
    if (step === 'next') this.next();
    if (step === 'last') this.show(this.film.acts.length);
  }
}

function entry(count, headline, steps, color) {
  const trail = steps.length
    ? element(
        'ul',
        {},
        steps.map((step) => element('li', { class: `event-${step.event}` }, step.text)),
      )
    : null;
  return element(
    'li',
    { 'data-count': count, class: `act ${color}` },
    element('button', { type: 'button' }, headline),
    trail,
  );
}

/** Whether a key pressed on this element is meant for stepping and not for writing or choosing. */
export function isFree(target) {
  return !target.closest('input, textarea, select, dialog, [role="dialog"], [role="grid"]');
}
