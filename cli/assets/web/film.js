// What was played: a list of acts with their trails, and the board at any moment.
import { announce, button, element } from './dom.js';

/** Acts of a game, and which of them are shown. `onChange` is called when another moment is shown. */
export class Film {
  constructor(onChange) {
    this.onChange = onChange;
    this.start = null;
    this.acts = [];
    /** How many acts are shown; null: all, also those to come. */
    this.shown = null;
    this.list = element('ol', { id: 'moves', class: 'moves', tabIndex: 0, aria: { label: 'Moves' } });
    this.list.addEventListener('keydown', (event) => this.key(event));
    this.element = element('section', { class: 'film', aria: { label: 'What was played' } }, this.list, this.controls());
  }

  /** Takes the acts as they are now. */
  take(start, acts) {
    const grown = acts.length !== this.acts.length;
    Object.assign(this, { start, acts });
    if (this.shown !== null && this.shown >= acts.length) this.shown = null;
    if (grown || this.list.childElementCount === 0) this.write();
    this.mark();
  }

  /** How many acts led to what is shown. */
  count() {
    return this.shown ?? this.acts.length;
  }

  /** Whether the board is shown as it was, not as it is. */
  looksBack() {
    return this.shown !== null;
  }

  /** The position after so many acts; null for what is now. */
  positionAfter(count) {
    if (count === 0) return this.start;
    const act = this.acts[count - 1];
    return act ? { board: act.board, hidden: act.hidden } : this.start;
  }

  /** The squares of the last act that is shown. */
  lastSquares() {
    return this.acts[this.count() - 1]?.marked ?? [];
  }

  /** Shows the board after so many acts. */
  show(count) {
    const within = Math.max(0, Math.min(count, this.acts.length));
    this.shown = within === this.acts.length ? null : within;
    this.mark();
    announce(within === 0 ? 'the start' : this.acts[within - 1].headline);
    this.onChange();
  }

  /** ←/→ go by acts, ↑/↓ by turns, Home and End to the ends; whether the key was one of these. */
  key(event) {
    const ways = {
      ArrowLeft: () => this.count() - 1,
      ArrowRight: () => this.count() + 1,
      ArrowUp: () => this.turnBefore(),
      ArrowDown: () => this.turnAfter(),
      Home: () => 0,
      End: () => this.acts.length,
    };
    if (!ways[event.key] || event.altKey || event.ctrlKey || event.metaKey) return false;
    event.preventDefault();
    this.show(ways[event.key]());
    return true;
  }

  turnOf(count) {
    return this.acts[count - 1]?.turn ?? 0;
  }

  turnBefore() {
    let count = this.count();
    const turn = this.turnOf(count);
    while (count > 0 && this.turnOf(count) === turn) count -= 1;
    return count;
  }

  turnAfter() {
    let count = Math.min(this.count() + 1, this.acts.length);
    while (count < this.acts.length && this.turnOf(count + 1) === this.turnOf(count)) count += 1;
    return count;
  }

  controls() {
    const go = (label, words, count) => button(label, () => this.show(count()), { title: words, aria: { label: words } });
    return element(
      'div',
      { class: 'controls' },
      go('⏮', 'To the start', () => 0),
      go('◀', 'Back', () => this.count() - 1),
      button('↻', () => this.onChange(true), { id: 'again', title: 'Show the last move again', aria: { label: 'Show the last move again' } }),
      go('▶', 'On', () => this.count() + 1),
      go('⏭', 'To the end', () => this.acts.length),
    );
  }

  write() {
    const items = this.acts.map((act, index) => {
      const head = button(act.headline, () => this.show(index + 1), { class: 'headline' });
      const steps = act.steps.map((step) => element('li', {}, step.text));
      return element('li', { class: `act ${act.color}` }, head, element('ol', { class: 'trail' }, ...steps));
    });
    if (items.length === 0) items.push(element('li', { class: 'nothing' }, 'Nothing was played yet.'));
    this.list.replaceChildren(...items);
  }

  mark() {
    const count = this.count();
    for (const [index, item] of [...this.list.children].entries()) {
      const current = index === count - 1;
      item.classList.toggle('current', current);
      if (current) item.firstElementChild.setAttribute('aria-current', 'step');
      else item.firstElementChild?.removeAttribute('aria-current');
    }
    const current = this.list.children[count - 1];
    // Only the list scrolls: the page stays where it is.
    if (current) this.list.scrollTop = current.offsetTop - this.list.clientHeight + current.offsetHeight + 8;
    else this.list.scrollTop = 0;
  }
}
