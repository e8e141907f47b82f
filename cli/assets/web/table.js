// A game at which a person sits: chooses among the legal actions that the server lists, and sees what came of them.
import { announce, button, byId, element } from './dom.js';
import { gamePath, asked, isWaiting, sent } from './api.js';
import { Board, occupantOf, squareIndex } from './board.js';
import { chatPanel } from './chat.js';
import { ask, closeQuestion, isAsked } from './dialog.js';
import { Film } from './film.js';
import { oddsChart } from './luck.js';
import { deedButtons } from './deeds.js';
import { remember, remembered } from './settings.js';

/** Acts that are animated at once; after a longer absence only the latest are. */
const MAX_ANIMATED = 3;

/** The page of one game; `tell` shows a notice. */
export class TablePage {
  constructor(name, tell) {
    Object.assign(this, { name, tell, table: null, from: null, proposed: [], playing: false });
    this.board = new Board({
      label: 'Board: arrow keys go about, Enter chooses',
      onPoint: (square) => this.point(square),
      onDrag: (from, to) => this.drag(from, to),
      mayDrag: (square) => this.chooses() && this.begins(square),
    });
    this.film = new Film((again) => (again ? this.replay() : this.draw()));
    this.chat = chatPanel((text) => this.carryOut({ deed: 'say', text }));
    this.element = this.layOut();
    this.keys = (event) => this.key(event);
    document.addEventListener('keydown', this.keys);
  }

  /** The page is left. */
  close() {
    document.removeEventListener('keydown', this.keys);
    this.closed = true;
  }

  /** Whether an answer or an animation is waited for. */
  busy() {
    return this.playing || isWaiting();
  }

  /** Reads the game again. */
  async load() {
    const table = await asked(gamePath(this.name));
    if (!this.closed) await this.take(table);
  }

  layOut() {
    const text = (id, properties = {}) => element('p', { id, ...properties });
    this.head = element('h1', { id: 'title', tabIndex: -1 });
    this.asking = element('div', { id: 'asking', class: 'asking' });
    this.deeds = element('div', { class: 'deeds' });
    this.off = button('Off the board', () => this.drag(this.from, 'off'), { id: 'off', hidden: true });
    this.pass = button('Pass: no action is legal', () => this.choose(this.table.legal[0]), { id: 'pass', hidden: true, class: 'main' });
    const side = element('div', { class: 'side' },
      element('header', { class: 'standing' }, this.head, text('standing', { class: 'now' }), text('time')),
      this.asking, this.film.element, this.deeds, this.chat.element);
    const status = element('footer', { class: 'status' }, text('path'), text('delivery'));
    return element('main', { class: 'table' },
      element('div', { class: 'boardside' }, this.board.element, element('div', { class: 'under' }, this.off, this.pass), status), side);
  }

  /** Takes the game as it is now; acts that have come are played. */
  async take(table) {
    const before = this.table;
    this.table = table;
    const same = before && JSON.stringify([before.legal, before.acts.length, before.hold]) === JSON.stringify([table.legal, table.acts.length, table.hold]);
    if (!same) this.forget();
    this.tellStanding();
    const known = before?.position ? before.acts.length : table.acts.length;
    const played = this.film.looksBack() ? [] : table.acts.slice(Math.max(known, table.acts.length - MAX_ANIMATED));
    this.film.take(table.start, table.acts);
    // An act whose chance was not revealed when it was shown.
    const resolved = known === table.acts.length && before && JSON.stringify(before.acts.at(-1)) !== JSON.stringify(table.acts.at(-1));
    if (resolved) this.film.write();
    await this.play(resolved && !this.film.looksBack() ? table.acts.slice(-1) : played);
    this.draw();
    if (!same) this.askWhatIsDue();
  }

  async play(acts) {
    if (acts.length === 0) return;
    this.playing = true;
    for (const act of acts) {
      const before = this.film.positionAfter(this.table.acts.indexOf(act));
      announce(act.headline);
      if (before && !this.closed) await this.board.animate(before.board, act.steps, (step) => announce(step.text));
    }
    this.playing = false;
  }

  async replay() {
    const count = this.film.count();
    if (this.playing || count === 0) return;
    await this.play([this.table.acts[count - 1]]);
    this.draw();
  }

  forget() {
    this.from = null;
    this.proposed = [];
    closeQuestion();
  }

  tellStanding() {
    const { table } = this;
    this.head.textContent = table.opponent ? `Against ${table.opponent}` : table.name;
    byId('standing').textContent = this.chooses() ? this.toDo() : `${table.standing}.`;
    byId('standing').classList.toggle('mine', this.chooses());
    byId('time').textContent = [table.title, table.time_left].filter(Boolean).join('; ');
    byId('path').textContent = `Way: ${table.path}`;
    byId('delivery').textContent = `Delivery: ${table.delivery}`;
    this.deeds.replaceChildren(...deedButtons(this));
    this.chat.take(table.messages);
  }

  toDo() {
    const { position, draw_intent: intent, draw_offered: offered } = this.table;
    const said = [position.pending ?? `Your turn: you are ${position.turn}.`];
    if (offered) said.push('A draw is offered.');
    if (intent) said.push('Your next action offers a draw.');
    return said.join(' ');
  }

  draw() {
    const { table, film } = this;
    byId('pass').hidden = !(table.legal.length === 1 && table.legal[0].action === 'pass');
    byId('off').hidden = !this.fitting(this.from, 'off').length;
    if (!table.position) return;
    const position = film.looksBack() ? film.positionAfter(film.count()) : table.position;
    this.board.show(position, this.marks(), this.bottom());
    this.board.element.classList.toggle('past', film.looksBack());
  }

  marks() {
    const last = this.film.lastSquares();
    if (this.film.looksBack()) return { last };
    if (isAsked()) return { last, proposed: this.proposed };
    const ways = this.table.legal.flatMap((choice) => choice.ways);
    const to = ways.filter((way) => (this.from ? way.from === this.from && way.to && way.to !== 'off' : !way.to));
    const targets = [...new Set(to.map((way) => way.to ?? way.from))];
    const isMan = (square) => Boolean(occupantOf(this.table.position.board[squareIndex(square)])?.role);
    return { last, from: this.from, targets: targets.filter((square) => !isMan(square)), captures: targets.filter(isMan) };
  }

  bottom() {
    const mine = this.table.me ?? 'white';
    return remembered('flip', 'no') === 'yes' ? { white: 'black', black: 'white' }[mine] : mine;
  }

  flip() {
    remember('flip', remembered('flip', 'no') === 'yes' ? 'no' : 'yes');
    this.draw();
  }

  chooses() {
    return Boolean(this.table?.legal.length);
  }

  begins(square) {
    return this.table.legal.some(({ ways }) => ways.some((way) => way.from === square && way.to));
  }

  // Actions that are meant by a square and another point, those of one man first.
  fitting(from, to) {
    const fits = (this.table?.legal ?? []).filter(({ ways }) => ways.some((way) => way.from === from && way.to === to));
    return fits.sort((a, b) => b.alone - a.alone);
  }

  point(square) {
    if (this.busy()) return;
    if (this.film.looksBack()) {
      this.film.show(Infinity);
      return;
    }
    if (!this.chooses()) {
      this.tell(this.table.standing);
      return;
    }
    closeQuestion();
    const fits = this.from ? this.fitting(this.from, square) : [];
    const atOnce = this.fitting(square, undefined);
    if (fits.length) this.narrow(fits);
    else if (atOnce.length) this.narrow(atOnce);
    else this.takeUp(square);
  }

  takeUp(square) {
    const again = this.from === square;
    this.from = !again && this.begins(square) ? square : null;
    if (!again && !this.from) this.tell(`No legal action begins on ${square}.`);
    this.draw();
  }

  drag(from, to) {
    if (this.busy() || !this.chooses() || this.film.looksBack()) return;
    closeQuestion();
    const fits = this.fitting(from, to);
    this.from = from;
    if (fits.length) this.narrow(fits);
    else {
      this.tell(to === 'off' ? `The man on ${from} may not leave the board now.` : `No legal action goes from ${from} to ${to}.`);
      this.draw();
    }
  }

  narrow(fits) {
    if (fits.length === 1 && fits[0].alone) this.choose(fits[0]);
    else {
      const answers = fits.map((choice) => ({ label: choice.label, data: { action: choice.action }, then: () => this.choose(choice) }));
      this.ask([fits.length === 1 ? 'Is it this?' : 'Which of these?'], answers);
    }
  }

  choose(choice) {
    if (choice.answers.length === 0) {
      this.complete(choice, choice.action);
      return;
    }
    const answer = (label, action) => ({ label, data: { action }, then: () => this.complete(choice, action) });
    this.ask(['If the pawn is carried on to the last rank, it becomes'],
      [answer('a queen, as usual', choice.action), ...choice.answers.map(({ label, action }) => answer(label, action))]);
  }

  complete(choice, action) {
    if (!choice.chance) {
      this.playOut(action);
      return;
    }
    this.proposed = choice.names;
    const label = choice.label[0].toUpperCase() + choice.label.slice(1);
    this.ask([`${label} (${choice.notation})`, 'Chance decides a part of it, and it cannot be taken back.'], [
      { label: 'Play it', kind: 'main', data: { answer: 'yes', action }, then: () => this.playOut(action) },
      { label: 'Show the odds', data: { answer: 'odds' }, stays: true, then: () => this.showOdds(action) },
      { label: 'Not now', data: { answer: 'no' }, then: () => this.backOut() },
    ]);
  }

  ask(words, answers) {
    ask({ words, answers, where: this.asking, onBack: () => this.backOut() });
    this.draw();
    byId('choice')?.scrollIntoView({ block: 'nearest' });
  }

  backOut() {
    this.forget();
    this.draw();
    this.board.focus();
  }

  /** Asks whether something that is no action is really wanted. */
  sure(words, yes, deed) {
    this.forget();
    this.ask([words], [
      { label: yes, kind: 'main', data: { answer: 'yes' }, then: () => this.carryOut(deed) },
      { label: 'Not now', data: { answer: 'no' }, then: () => this.backOut() },
    ]);
  }

  askWhatIsDue() {
    const { hold } = this.table;
    if (hold) this.sure(`Held back: ${hold}. Is that all right?`, 'Yes, go on', { deed: 'confirm' });
  }

  async showOdds(action) {
    const chart = await asked(gamePath(this.name, `/odds?action=${encodeURIComponent(action)}`)).catch((error) => this.failed(error));
    const choice = byId('choice');
    if (!chart || !choice) return;
    choice.querySelector('.odds')?.remove();
    choice.querySelector('.answers').before(oddsChart(chart));
  }

  playOut(action) {
    this.forget();
    this.carryOut({ deed: 'act', action });
  }

  async carryOut(deed) {
    try {
      const done = await sent(gamePath(this.name, '/deeds'), deed);
      if (done.said) this.tell(done.said);
      if (!this.closed) await this.take(done.table);
      if (deed.deed === 'act') this.board.focus();
    } catch (error) {
      this.failed(error);
      this.draw();
    }
  }

  failed(error) {
    this.tell([error.message, error.hint].filter(Boolean).join(' '));
    return null;
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
    if (event.key === 'Escape') this.backOut();
    else if (event.key === 'f') this.flip();
    else if (event.key === '[') this.film.show(this.film.count() - 1);
    else if (event.key === ']') this.film.show(this.film.count() + 1);
  }
}
