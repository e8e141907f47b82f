// What the two players say to each other.

import { element } from './dom.js';

/** The messages of a game, with a line to write one. `say(text)` sends it and tells whether that was done. */
export class Chat {
  constructor(say) {
    this.list = element('ol', { class: 'messages', 'aria-label': 'Messages', tabindex: '0' });
    this.input = element('input', {
      id: 'say',
      'aria-label': 'Message',
      placeholder: 'Say something',
      autocomplete: 'off',
      maxlength: '2000',
    });
    const form = element('form', { class: 'line' }, this.input, element('button', { id: 'send' }, 'Send'));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#send(say);
    });
    this.box = element('section', { class: 'card chat' }, element('h2', {}, 'Messages'), this.list, form);
    this.known = -1;
  }

  /** Shows the messages of a table. */
  show(messages) {
    const key = JSON.stringify(messages);
    if (key === this.key) return;
    this.key = key;
    const items = messages.map(message);
    this.list.replaceChildren(
      ...(items.length ? items : [element('li', { class: 'quiet' }, 'No messages yet.')]),
    );
    this.list.scrollTop = this.list.scrollHeight;
  }

  async #send(say) {
    const text = this.input.value.trim();
    if (text && (await say(text))) this.input.value = '';
  }
}

function message({ own, name, text, at, delivered }) {
  const head = element('span', { class: 'who' }, own ? 'you' : name);
  const foot = element('span', { class: 'when' }, own && !delivered ? `${at}, not delivered yet` : at);
  return element(
    'li',
    { class: own ? 'own' : 'theirs' },
    head,
    element('span', { class: 'said' }, text),
    foot,
  );
}
