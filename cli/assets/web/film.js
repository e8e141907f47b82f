// A game as a row of boards.

/** The boards of a game, and which of them is shown. */
export class Film {
  /** `start` is the position before the first of `acts`, `now` the one after the last if more is known of it. */
  constructor(start, acts, now = null) {
    this.start = start;
    this.acts = acts;
    this.now = now;
  }

  /** Letters and hidden queen after so many acts. */
  after(count) {
    if (count >= this.acts.length && this.now) return this.now;
    return count === 0 ? this.start : this.acts[count - 1];
  }

  /** Squares of the last of so many acts. */
  markedAfter(count) {
    return count === 0 ? [] : this.acts[count - 1].marked;
  }

  /** The end of the turn before the one that so many acts lead to. */
  turnBefore(count) {
    const turn = this.#turnAfter(count);
    let before = count;
    while (before > 0 && this.#turnAfter(before) === turn) before -= 1;
    return before;
  }

  /** The end of the turn that comes next. */
  turnNext(count) {
    if (count >= this.acts.length) return this.acts.length;
    const turn = this.#turnAfter(count + 1);
    let next = count + 1;
    while (next < this.acts.length && this.#turnAfter(next + 1) === turn) next += 1;
    return next;
  }

  #turnAfter(count) {
    return count === 0 ? 0 : this.acts[count - 1].turn;
  }
}
