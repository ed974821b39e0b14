/** Returns a random page for the tests of the Markdown writer. The same seed gives the same page. */
export function randomPage(seed: number): string {
  const dice = createDice(seed)
  let html = ''
  const count = 1 + dice.below(6)
  for (let index = 0; index < count; index += 1) html += block(dice, 0)
  return html
}

interface Dice {
  below(count: number): number
  pick<Value>(values: readonly [Value, ...Value[]]): Value
}

/** Mulberry32: small, and random enough to shuffle words. */
function createDice(seed: number): Dice {
  let state = seed >>> 0
  const below = (count: number) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % count
  }
  return { below, pick: (values) => values[below(values.length)] ?? values[0] }
}

type Generate = (dice: Dice, depth: number) => string

const blocks: readonly [Generate, ...Generate[]] = [
  (dice) => `<p>${inline(dice, 3)}</p>`,
  (dice) => `<p>${inline(dice, 3)}<br>${inline(dice, 2)}</p>`,
  (dice) => {
    const level = 1 + dice.below(6)
    return `<h${level}>${inline(dice, 2)}</h${level}>`
  },
  (dice) => `<div>${inline(dice, 2)}<p>${inline(dice, 2)}</p>${inline(dice, 2)}</div>`,
  (dice) => `<pre>${escaped(code(dice))}</pre>`,
  (dice) => `<pre><code class="language-js">${escaped(code(dice))}</code></pre>`,
  (dice, depth) => `<blockquote>${block(dice, depth)}${block(dice, depth)}</blockquote>`,
  (dice, depth) => `<ul>${items(dice, depth)}</ul>`,
  (dice, depth) => `<ol start="${dice.below(12)}">${items(dice, depth)}</ol>`,
  (dice) => table(dice),
  () => '<hr>',
]

function block(dice: Dice, depth: number): string {
  return depth > 3 ? `<p>${inline(dice, 3)}</p>` : dice.pick(blocks)(dice, depth + 1)
}

function items(dice: Dice, depth: number): string {
  let html = ''
  const count = 1 + dice.below(3)
  for (let index = 0; index < count; index += 1) {
    html += `<li>${dice.below(3) === 0 ? block(dice, depth) : inline(dice, 2)}`
    if (dice.below(4) === 0) html += block(dice, depth)
    html += '</li>'
  }
  return html
}

function table(dice: Dice): string {
  const width = 2 + dice.below(3)
  const row = (name: string) =>
    `<tr>${`<${name}>#</${name}>`.repeat(width).replace(/#/g, () => inline(dice, 2))}</tr>`
  return `<table>${dice.below(2) === 0 ? row('th') : ''}${row('td')}${row('td')}</table>`
}

const lines = [
  'a',
  '  b',
  '',
  '```',
  '````x',
  '# c',
  '- d',
  '\te | f',
  '<g>',
  '&amp;',
  '> h',
  '1. i',
  '    ',
] as const

function code(dice: Dice): string {
  let text = 'x'
  const count = dice.below(6)
  for (let index = 0; index < count; index += 1) text += `\n${dice.pick(lines)}`
  return `${text}\ny`
}

const elements: readonly [Generate, ...Generate[]] = [
  (dice, depth) => `<b>${inline(dice, depth)}</b>`,
  (dice, depth) => `<em>${inline(dice, depth)}</em>`,
  (dice, depth) => `<s>${inline(dice, depth)}</s>`,
  (dice, depth) => `<span>${inline(dice, depth)}</span>`,
  (dice) => `<code>${escaped(words(dice))}</code>`,
  (dice) => `<a href="${escaped(dice.pick(addresses))}">${escaped(words(dice))}</a>`,
  (dice) => `<a href="/d"><b>${escaped(words(dice))}</b> ${escaped(words(dice))}</a>`,
  (dice) => `<img src="/i.png" alt="${escaped(words(dice))}">`,
]

const addresses = ['/a', '/a b', '/a(b', '/a_(b)_*c*', '/a?b=[c]&d', 'https://y.test/#é'] as const

function inline(dice: Dice, depth: number): string {
  let html = escaped(words(dice))
  const count = dice.below(3)
  for (let index = 0; index < count; index += 1) {
    const element = depth > 0 ? dice.pick(elements)(dice, depth - 1) : ''
    html += space(dice) + element + space(dice) + escaped(words(dice))
  }
  return html
}

const space = (dice: Dice) => dice.pick(['', ' ', '\n  '])

const pieces = (
  'a foo Bar * ** *** _ __ ` `` [ ] ( ) < > & &amp; &lt; ! # ## - + = == 1. 2) | ~ ~~ \\ \\* $5 : ; . , ? / ' +
  'snake_case 日本 （注） “q” é … — [x] [^1] ](b) ![a] <b> --- |--|--| C:\\x 😀 {c} "d" \' % ^ : ::'
).split(' ')

function words(dice: Dice): string {
  let text = ''
  const count = 1 + dice.below(4)
  for (let index = 0; index < count; index += 1) {
    if (index > 0 && dice.below(2) === 0) text += ' '
    text += pieces[dice.below(pieces.length)] ?? ''
  }
  return text
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
