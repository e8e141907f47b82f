// The page of one game: what is pointed at becomes an action.

import { ask, isWaiting, pathOf } from './api.js';
import { Asker, sureAnswers } from './asking.js';
import { Board } from './board.js';
import { Chat } from './chat.js';
import { atOnce, beginnings, between, isPass, mayLeave, targetsOf } from './choosing.js';
import { Deeds } from './deeds.js';
import { announce, capitalised, toast } from './dom.js';
import { makeDraggable } from './drag.js';
import { Film } from './film.js';
import { History, isFree } from './history.js';
import { letterAt, otherColor } from './men.js';
import { oddsChart } from './odds.js';
import { setting } from './settings.js';
import { TableFrame } from './table_frame.js';

/** The page of a game. `node` is what is shown. */
export class TablePage {
  constructor(name) {
    this.name = name;
    this.table = null;
    this.from = null;
    this.proposed = [];
    this.sending = false;
    this.dragged = null;
    this.turned = false;
    this.board = new Board((square) => this.pick(square));
    this.history = new History(this.board, () => this.#refresh());
    this.asker = new Asker((squares) => this.#propose(squares));
    this.chat = new Chat((text) => this.carryOut({ deed: 'say', text }));
    this.deeds = new Deeds(this);
    this.frame = new TableFrame(this);
    this.node = this.frame.node;
    makeDraggable(
      this.board,
      (square) => this.#lift(square),
      (from, point) => this.#drop(from, point),
    );
  }

  /** Whether something is under way: an answer is waited for, or men are moving. */
  get isBusy() {
    return this.sending || this.history.moving || isWaiting();
  }

  /** Reads the game again. */
  async load() {
    this.take(await ask('GET', pathOf('games', this.name)));
  }

  /** Takes in how the game stands now. */
  take(table) {
    const before = this.table;
    this.table = table;
    if (
      JSON.stringify(before?.legal) !== JSON.stringify(table.legal) ||
      before?.acts.length !== table.acts.length
    )
      this.#forget();
    if (before?.me !== table.me) this.#turnTo(table.me ?? 'white');
    const shown = table.position ? this.#film(table) : null;
    this.#refresh();
    this.chat.show(table.messages);
    const isNews = before && before.standing !== table.standing;
    Promise.resolve(shown).then(() => isNews && announce(capitalised(table.standing)));
  }

  /** The other side to the bottom. */
  flip() {
    this.#turnTo(otherColor(this.board.bottom));
    this.#refresh();
  }

  /** A square, or 'off' for beside the board, was pointed at. */
  pick(point) {
    const { legal } = this.table ?? {};
    if (!legal || this.sending) return;
    if (this.history.moving || !this.history.isAtEnd()) return this.#toPresent();
    if (point !== 'off' && this.asker.narrow(point)) return;
    this.asker.close();
    if (!legal.length) return this.tell(capitalised(this.table.standing));
    const fits = this.from ? between(legal, this.from, point) : [];
    if (fits.length) return this.#narrow(fits);
    if (point === 'off') return this.tell('Choose the man that is to leave the board first.');
    const here = atOnce(legal, point);
    if (here.length) return this.#narrow(here);
    this.#select(point);
  }

  /** Signs or notes something; whether that was done. */
  async carryOut(deed) {
    this.sending = true;
    try {
      const { said, table } = await ask('POST', pathOf('games', this.name, '/deeds'), deed);
      this.sending = false;
      this.take(table);
      if (said) toast(capitalised(said));
      return true;
    } catch (error) {
      this.sending = false;
      this.board.redraw();
      this.#refresh();
      toast(capitalised(error.words), 'fault');
      return false;
    } finally {
      this.dragged = null;
    }
  }

  /** Passes, which is the only legal action. */
  pass() {
    if (isPass(this.table.legal)) this.#choose(this.table.legal[0]);
  }

  /** Says something below the board. */
  tell(words) {
    this.history.caption.textContent = words;
    announce(words);
  }

  /** A key that was pressed anywhere on the page. */
  key(event) {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || !this.table) return;
    const onBoard = this.board.grid.contains(target);
    const isAsked = key === 'o' && this.asker.box.contains(target);
    if (!onBoard && !isAsked && !isFree(target)) return;
    if (this.#command(key) || ((!onBoard || !key.startsWith('Arrow')) && this.history.key(key)))
      event.preventDefault();
  }

  /** Nothing goes on after the page was left. */
  leave() {
    this.history.stop();
  }

  #command(key) {
    if (key === 'Escape') return this.#stepBack();
    if (key === 'f') this.flip();
    else if (key === 'o') this.#askOdds();
    else if (key === 'x') this.pick('off');
    else return false;
    return true;
  }

  #stepBack() {
    if (this.asker.isOpen) this.asker.close();
    else if (this.history.playing) this.history.toggle();
    else if (this.history.isAtEnd()) this.#select(null);
    else this.#toPresent();
    return true;
  }

  #film({ start, acts, position }) {
    const done = this.dragged;
    const isDone = (step) => done !== null && step.from === done.from && step.to === done.to;
    return this.history.take(new Film(start, acts, position), isDone);
  }

  #forget() {
    this.from = null;
    this.asker.close();
  }

  #turnTo(color) {
    this.board.turn(color);
  }

  #toPresent() {
    this.history.show(this.table.acts.length);
    this.tell('Back at the board as it is.');
  }

  #select(square) {
    const again = square === this.from;
    const begins = square && beginnings(this.table.legal).has(square);
    this.from = begins && !again ? square : null;
    if (square && !begins) this.tell(`No legal action begins on ${square}.`);
    this.#refresh();
    if (this.from) announce(this.frame.choiceWords());
  }

  #lift(square) {
    if (
      this.sending ||
      this.history.moving ||
      !this.history.isAtEnd() ||
      !beginnings(this.table.legal).has(square)
    )
      return false;
    this.asker.close();
    this.from = square;
    this.#refresh();
    return true;
  }

  /** A man was dropped; whether it stays there, which means that the action is being signed. */
  #drop(from, point) {
    const fits = between(this.table.legal, from, point);
    if (!fits.length) return false;
    this.dragged = { from, to: point };
    this.#narrow(fits);
    if (!this.sending) this.dragged = null;
    return this.sending;
  }

  // Who points at one man may not know that another one goes with it.
  #narrow(fits) {
    if (fits.length === 1 && fits[0].alone) return this.#choose(fits[0]);
    const answers = fits.map((choice) => ({
      label: choice.label,
      action: choice.action,
      names: choice.names,
      then: () => this.#choose(choice),
    }));
    this.#ask([fits.length === 1 ? 'Is it this?' : 'Which of these?'], answers);
  }

  #choose(choice) {
    if (!choice.answers.length) return this.#complete(choice, choice.action, choice.notation);
    const answers = [{ action: choice.action, label: 'a queen, as usual' }, ...choice.answers];
    const told = answers.map(({ action, label }) => ({
      label,
      action,
      names: choice.names,
      then: () => this.#complete(choice, action, choice.notation),
    }));
    this.#ask(['If the pawn is carried on to the last rank, it becomes'], told);
  }

  #complete(choice, action, notation) {
    if (!choice.chance || setting('unasked')) return this.#sign(action);
    const odds = () => this.asker.add(oddsChart(this.name, action, this.table.position.hidden));
    const words = [
      `${capitalised(choice.label)} (${notation})`,
      'Chance decides a part of it, and it cannot be taken back.',
    ];
    this.#ask(
      words,
      sureAnswers('play it', choice.names, () => this.#sign(action), odds),
    );
  }

  #sign(action) {
    this.from = null;
    this.carryOut({ deed: 'act', action });
    this.#refresh();
  }

  #ask(words, answers) {
    this.frame.putChoice(answers.flatMap((answer) => answer.names ?? []));
    this.asker.ask(words, answers, () => this.#refresh());
    this.#refresh();
  }

  #askOdds() {
    const action = this.asker.atHand?.action;
    if (this.asker.isOpen && action)
      return this.asker.add(oddsChart(this.name, action, this.table.position.hidden));
    const { legal } = this.table;
    const fits = this.from
      ? between(legal, this.from, this.board.focused)
      : atOnce(legal, this.board.focused);
    if (!fits.length) return this.tell('Take a man and go to a marked square, then press o.');
    const hidden = this.table.position.hidden;
    const answer = { label: 'close', first: true, names: fits[0].names, then: () => {} };
    this.#ask([capitalised(fits[0].label)], [answer]);
    this.asker.add(oddsChart(this.name, fits[0].action, hidden));
  }

  #propose(squares) {
    this.proposed = squares;
    if (this.table) this.#mark();
  }

  #refresh() {
    if (!this.table) return;
    this.#mark();
    this.frame.show(this.table);
    this.deeds.show(this.table);
  }

  #mark() {
    const { legal } = this.table;
    if (!this.history.film || this.history.moving) return;
    const last = this.history.film.markedAfter(this.history.count);
    if (!this.history.isAtEnd()) return this.board.mark({ last });
    const isEmpty = (square) => letterAt(this.board.letters, square) === '.';
    // While something is asked, only what it is about is marked.
    const targets = this.asker.isOpen || this.sending ? new Map() : targetsOf(legal, this.from, isEmpty);
    const movable = this.sending ? new Set() : beginnings(legal);
    this.board.mark({ last, selected: this.from, targets, proposed: this.proposed, movable });
  }

  /** Whether the chosen man may leave the board now. */
  get mayLeave() {
    return this.history.isAtEnd() && mayLeave(this.table.legal, this.from);
  }
}
