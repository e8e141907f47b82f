// What both players say.
import { button, element } from './dom.js';

/** A panel with messages and a line to write one; `say(text)` sends it. */
export function chatPanel(say) {
  const list = element('ol', { class: 'messages', tabIndex: 0, aria: { label: 'Messages' } });
  const input = element('input', { id: 'say', type: 'text', maxLength: 500, autocomplete: 'off', placeholder: 'Say something', aria: { label: 'Message' } });
  const form = element('form', { class: 'saying' }, input, button('Send', () => form.requestSubmit(), { id: 'send' }));
  form.onsubmit = (event) => {
    event.preventDefault();
    const text = input.value.trim();
    if (text === '') return;
    input.value = '';
    say(text);
  };
  const take = (messages) => {
    const lines = messages.map((message) => element(
      'li',
      { class: message.own ? 'own' : 'theirs' },
      element('span', { class: 'who' }, `${message.name}, ${message.at}${message.delivered ? '' : ', not delivered yet'}`),
      element('p', {}, message.text),
    ));
    if (lines.length !== list.childElementCount) {
      list.replaceChildren(...lines);
      list.scrollTop = list.scrollHeight;
    } else {
      lines.forEach((line, index) => list.children[index].replaceWith(line));
    }
    list.hidden = lines.length === 0;
  };
  return { element: element('section', { class: 'chat', aria: { label: 'Messages of both players' } }, list, form), take };
}
