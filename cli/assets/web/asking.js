// Questions beside the board: choices in words, and confirmations.

import { element } from './dom.js';

/** Answers that have a digit as their key. */
const DIGITS = 9;

/** Asks one question at a time. `pointed(squares)` is told which squares the answer at hand names. */
export class Asker {
  constructor(pointed) {
    this.pointed = pointed;
    this.asked = null;
    this.box = element('div', {
      id: 'choice',
      role: 'dialog',
      'aria-labelledby': 'choice-words',
      hidden: true,
    });
    this.box.addEventListener('keydown', (event) => this.#key(event));
  }

  /** Whether something is asked. */
  get isOpen() {
    return this.asked !== null;
  }

  /**
   * Asks: `words`, a paragraph each; `answers`: {label, names, action, answer, key, first, then}; `first` has the focus.
   * `back()` is called if the person goes back.
   */
  ask(words, answers, back = () => {}) {
    const returnTo = this.asked?.returnTo ?? document.activeElement;
    this.asked = { words, answers, back, returnTo };
    const paragraphs = words.map((text) => element('p', {}, text));
    const list = answers.map((answer, index) => this.#answerButton(answer, index));
    this.more = element('div', { class: 'more' });
    this.box.replaceChildren(
      element('div', { id: 'choice-words' }, paragraphs),
      element('div', { class: 'answers' }, list),
      this.more,
    );
    this.box.hidden = false;
    const first = answers.findIndex((answer) => answer.first);
    list[Math.max(0, first)].focus({ preventScroll: true });
  }

  /** Shows more about the question. */
  add(node) {
    this.more.replaceChildren(node);
  }

  /** Ends the question without an answer. */
  close() {
    if (!this.isOpen) return;
    const { returnTo } = this.asked;
    const hadFocus = this.box.contains(document.activeElement);
    this.asked = null;
    this.box.hidden = true;
    this.box.replaceChildren();
    this.pointed([]);
    if (hadFocus && returnTo?.isConnected) returnTo.focus({ preventScroll: true });
  }

  /** Keeps the answers that name a square; false if that tells nothing apart. */
  narrow(square) {
    if (!this.isOpen) return false;
    const { words, answers, back } = this.asked;
    const fits = answers.filter((answer) => answer.names?.includes(square));
    if (!fits.length || fits.length === answers.length) return false;
    this.ask(words, fits, back);
    return true;
  }

  /** The answer that has the focus. */
  get atHand() {
    const at = [...this.box.querySelectorAll('.answer')].indexOf(document.activeElement);
    return this.asked?.answers[at] ?? null;
  }

  #answerButton(answer, index) {
    const key = answer.key ?? (index < DIGITS ? String(index + 1) : null);
    const attributes = {
      class: `answer ${answer.kind ?? ''}`,
      'data-action': answer.action,
      'data-answer': answer.answer,
      onclick: () => this.#give(answer),
      onfocus: () => this.pointed(answer.names ?? []),
      onpointerenter: () => this.pointed(answer.names ?? []),
    };
    return element(
      'button',
      { type: 'button', ...attributes },
      key && element('kbd', { 'aria-hidden': 'true' }, key),
      element('span', {}, answer.label),
    );
  }

  #give(answer) {
    if (!answer.stays) this.close();
    answer.then();
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const move = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    const answer = this.asked?.answers.find(
      (each, index) => event.key === each.key || event.key === String(index + 1),
    );
    if (event.key === 'Escape') this.#goBack();
    else if (move) this.#move(move);
    else if (answer) this.#give(answer);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #goBack() {
    const { back } = this.asked;
    this.close();
    back();
  }

  #move(by) {
    const list = [...this.box.querySelectorAll('.answer')];
    const at = list.indexOf(document.activeElement);
    list[(at + by + list.length) % list.length].focus();
  }
}

/** The answers to whether something that cannot be undone is wanted: Enter alone does nothing. */
export function sureAnswers(yes, names, then, odds = null) {
  return [
    { label: yes, key: 'y', answer: 'yes', kind: 'yes', names, then },
    odds && { label: 'odds', key: 'o', answer: 'odds', names, stays: true, then: odds },
    { label: 'not now', key: 'n', answer: 'no', names, first: true, then: () => {} },
  ].filter(Boolean);
}
