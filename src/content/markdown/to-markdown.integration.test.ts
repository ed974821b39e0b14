import { describe, expect, it } from 'vitest'
import { wholePage } from '../../../test/markdown/whole-page.ts'

const markdown = (html: string, removeBase64Images = true) => wholePage(html, { removeBase64Images })

describe('blocks', () => {
  it.each([
    ['headings by level', '<h1>A</h1><h3>B <b>c</b></h3>', '# A\n\n### B c'],
    ['a heading without text as nothing', '<h2> <br></h2><p>a', 'a'],
    ['a heading over several lines as one', '<h2>a<br>b<div>c</div></h2>', '## a b c'],
    ['a number sign at the end of a heading', '<h2>C #</h2><h2>C#</h2>', '## C \\#\n\n## C#'],
    ['paragraphs and bare text', 'a<p>b</p>c<div>d<div>e</div></div>', 'a\n\nb\n\nc\n\nd\n\ne'],
    ['a line break and a double one', '<p>a<br>b<br><br>c</p>', 'a  \nb\n\nc'],
    ['a mark around blocks on each of them', '<b><p>a</p><p>b</p></b>', '**a**\n\n**b**'],
    ['a rule', '<p>a</p><hr><p>b</p>', 'a\n\n---\n\nb'],
    [
      'a quote with a quote',
      '<blockquote><p>a<p>b<blockquote>c</blockquote></blockquote>',
      '> a\n>\n> b\n>\n> > c',
    ],
    ['definitions', '<dl><dt>T<dd>a<dd>b<dt>U<dd><p>c<p>d</dl>', 'T\n: a\n: b\n\nU\n: c\n\n  d'],
    [
      'a frame as a link',
      '<iframe src="https://v.test/1" title="Film"></iframe>',
      '[Film](https://v.test/1)',
    ],
    [
      'nothing of controls and drawings',
      '<select><option>a</select><svg><text>b</text></svg><textarea>c</textarea>d',
      'd',
    ],
  ])('writes %s', (_, html, text) => {
    expect(markdown(html)).toBe(text)
  })
})

describe('lists', () => {
  it.each([
    ['items', '<ul><li>a<li><p>b</p></ul>', '- a\n- b'],
    ['numbers from their start', '<ol start=3><li>a<li value=7>b<li>c</ol>', '3. a\n7. b\n8. c'],
    ['lists inside items', '<ul><li>a<ol><li>b<li>c</ol><li>d</ul>', '- a\n  1. b\n  2. c\n- d'],
    ['a list inside a list without an item', '<ol><li>a<ul><li>b</ul></ol>', '1. a\n   - b'],
    ['a stray list under the item before it', '<ul><li>a</li><ul><li>b</li></ul></ul>', '- a\n  - b'],
    [
      'several blocks in an item',
      '<ul><li><p>a</p><p>b</p><pre>c\nd</pre></ul>',
      '- a\n\n  b\n\n  ```\n  c\n  d\n  ```',
    ],
    [
      'a counted list that would join its paragraph apart from it',
      '<ul><li>a<ol start=2><li>b</ol></ul>',
      '- a\n\n  2. b',
    ],
    ['tasks', '<ul><li><input type=checkbox checked> a<li><input type=checkbox> b</ul>', '- [x] a\n- [ ] b'],
    ['no empty items', '<ul><li></li><li> </li><li>a</ul>', '- a'],
  ])('writes %s', (_, html, text) => {
    expect(markdown(html)).toBe(text)
  })

  it('writes the cards of a list as sections if one is long, and as items if all are short', () => {
    const text = 'word '.repeat(60).trim()
    expect(markdown(`<ul><li><h3>A</h3><p>${text}</p><li><h3>B</h3><p>b</p></ul>`)).toBe(
      `### A\n\n${text}\n\n### B\n\nb`,
    )
    expect(markdown('<ul><li><h3>A</h3><p>a</p><li><h3>B</h3><p>b</p></ul>')).toBe(
      '- ### A\n\n  a\n\n- ### B\n\n  b',
    )
  })

  it('keeps the text of lists that are too deep to indent', () => {
    expect(markdown(`${'<ul><li>'.repeat(200)}deep`)).toMatch(/^(?:- )+deep$/)
  })
})

describe('inline formatting', () => {
  it.each([
    ['emphasis, with the space outside of it', 'a<b> b </b>c<i>d</i>', 'a **b** c*d*'],
    ['nested and crossing marks', '<b>a<i>b</i></b><i>c</i>', '**a*b***_c_'],
    ['neighbours of one kind as one', '<b>a</b><strong>b</strong>', '**ab**'],
    ['a mark around nothing as nothing', 'a<b> </b>b<i></i>c', 'a bc'],
    ['struck text', '<del>a</del> b <s>c</s>', '~~a~~ b ~~c~~'],
    ['code with backticks inside', '<code>a`b</code> <code>`</code> <kbd>C</kbd>', '``a`b`` `` ` `` `C`'],
    ['code as it is', '<code>a_b *c* &lt;d&gt;</code>', '`a_b *c* <d>`'],
    ['a link inside code', '<code>f(<a href="/x">X</a>)</code>', '`f(`[`X`](https://x.test/x)`)`'],
    ['links between words of code', '<code>a <a href="/x">X</a></code>', '`a` [`X`](https://x.test/x)'],
    [
      'a listing without the empty lines around it',
      '<pre><code>\n\n  a\n\n b\n  </code></pre>',
      '```\n  a\n\n b\n```',
    ],
    [
      'tooltips of a listing behind it',
      '<div class="fragment"><div class="line">f();</div><div class="ttc"><div class="ttname">f</div><div class="ttdoc">Does it.</div></div></div>',
      '```\nf();\n```\n\nf Does it.',
    ],
    ['code on two lines', '<code>a<br>b</code>', '`a`  \n`b`'],
    ['words for screen readers apart', 'a<span class="sr-only">b</span>c', 'a b c'],
    ['raised digits', '10<sup>6</sup> m<sup>2</sup> 1<sup>st</sup> CO<sub>2</sub>', '10^6 m^2 1st CO2'],
    ['raised marks of notes', 'word<sup>1</sup> end.<sup>1,2</sup> a <sup>3</sup>', 'word^1 end.^1,2 a ^3'],
    ['raised signs', 'a<sup>[1]</sup> a<sup>®</sup> M<sup>me</sup> Na<sup>+</sup>', 'a[1] a® Mme Na+'],
    ['raised terms', '2<sup>n</sup> x<sup>n+1</sup> e<sup>−kt</sup>', '2^n x^{n+1} e^−kt'],
    ['raised links', 'a<sup><a href="/n">1</a></sup>', 'a[1](https://x.test/n)'],
    ['lowered terms', 'x<sub>i</sub> x<sub>10</sub> log<sub>2</sub>8', 'x_i x_10 log_{2}8'],
    ['lowered terms behind marks', '<i>x</i><sub>i</sub>', '*x*\\_i'],
    ['chemical formulas', 'H<sub>2</sub>O (SO<sub>4</sub>)<sub>3</sub>', 'H2O (SO4)3'],
    ['fractions', 'a <sup>1</sup>⁄<sub>2</sub>', 'a 1⁄2'],
    ['quotations', '<q>a</q>', '“a”'],
    ['readings of signs', '<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>', '漢 (kan)'],
    ['formulas', '<math><mi>x</mi><annotation encoding="application/x-tex">x^2</annotation></math>', '$x^2$'],
    ['no soft hyphens and zero-width spaces', 'a\u00adb\u200bc', 'abc'],
  ])('writes %s', (_, html, text) => {
    expect(markdown(`<p>${html}</p>`)).toBe(text)
  })
})

describe('links', () => {
  it.each([
    ['text and address', '<a href="https://x.test/">a <b>b</b></a>', '[a **b**](https://x.test/)'],
    ['without the space at its edges', 'x<a href="/y"> a </a>z', 'x [a](https://x.test/y) z'],
    ['on one line', '<a href="/y">a<br>b</a>', '[a b](https://x.test/y)'],
    ['balanced parentheses', '<a href="/a_(b)">c</a>', '[c](https://x.test/a_(b))'],
    ['other parentheses and spaces', '<a href="/a(b c">d</a>', '[d](https://x.test/a%28b%20c)'],
    ['even brackets', '<a href="/y">[1]</a>', '[[1]](https://x.test/y)'],
    ['uneven brackets', '<a href="/y">a] b</a>', '[a\\] b](https://x.test/y)'],
    [
      'with the label of an icon',
      '<a href="/y" aria-label="Home"><svg></svg></a>',
      '[Home](https://x.test/y)',
    ],
    [
      'around an image',
      '<a href="/y"><img src="/i.png" alt="I"></a>',
      '[![I](https://x.test/i.png)](https://x.test/y)',
    ],
    ['after an exclamation mark', 'Go!<a href="/y">a</a>', 'Go\\![a](https://x.test/y)'],
    ['that lead nowhere as text', '<a href="javascript:x()">a</a> <a name=x>b</a> <a href="">c</a>', 'a b c'],
    ['that say nothing as nothing', 'a<a href="/y"></a>', 'a'],
    ['beside a heading not at all', '<h2>A<a href="#a">¶</a></h2>', '## A'],
    [
      'around a card on its heading',
      '<a href="/y"><img src=/i.png><h3>A</h3><p>b</p></a>',
      '![](https://x.test/i.png)\n\n### [A](https://x.test/y)\n\nb',
    ],
    ['around blocks on the first', '<a href="/y"><div>a</div><div>b</div></a>', '[a](https://x.test/y)\n\nb'],
  ])('are written: %s', (_, html, text) => {
    expect(markdown(html)).toBe(text)
  })
})

describe('images', () => {
  const bytes = `data:image/png;base64,${'A'.repeat(300)}`

  it('have their alternative text, with escaped brackets', () => {
    expect(markdown('<img src="/i.png" alt=" a\n [b] ">')).toBe('![a \\[b\\]](https://x.test/i.png)')
  })

  it('lose their data URL and keep their text', () => {
    expect(markdown(`<img src="${bytes}" alt="a">`)).toBe('![a](<Base64-Image-Removed>)')
  })

  it('keep their data URL if requested', () => {
    expect(markdown(`<img src="${bytes}" alt="a">`, false)).toBe(`![a](${bytes})`)
  })

  it('without visible content are omitted', () => {
    expect(
      markdown('a<img alt=x><img src="/p.gif" width=1 height=1><img src="data:image/gif;base64,R0">'),
    ).toBe('a')
  })
})

describe('large and deep pages', () => {
  it('are written completely', () => {
    const rows = Array.from({ length: 80_000 }, (_, index) => `<tr><td>${index}</td><td>x</td></tr>`)
    const lines = markdown(`<table><tr><th>n<th>t</tr>${rows.join('')}</table>`).split('\n')
    expect(lines).toHaveLength(80_002)
    expect(lines.at(-1)).toBe('| 79999 | x |')
  })

  it.each([
    ['formulas inside formulas', `<math>${'<msup><mi>x</mi>'.repeat(50_000)}`],
    ['notes of one name', '<sup><a href="#n">1</a></sup><li id=n>x'.repeat(20_000)],
    [
      'notes of one label',
      Array.from({ length: 20_000 }, (_, n) => `<a href="#n${n}">[1]</a><p id=n${n}>x`).join(''),
    ],
    ['marks beside marks', `<p>${'a<b>(a)</b>b!<a href=/x>c</a>'.repeat(50_000)}`],
    ['lowered texts', 'a<sup>1</sup>b<sub>2</sub>'.repeat(40_000)],
    ['brackets', `<p>${'['.repeat(500_000)}${'](b)'.repeat(200_000)}`],
    ['TeX that does not end', `<p>${'\\\\('.repeat(300_000)}${'$_'.repeat(300_000)}`],
  ])('take time in proportion to their size: %s', (_, html) => {
    expect(markdown(html)).not.toBe('')
  })

  it('do not overflow the stack', () => {
    expect(markdown(`${'<div><b><blockquote>'.repeat(100_000)}deep`)).toContain('deep')
    expect(markdown(`${'<table><tr><td>'.repeat(50_000)}deep`)).toContain('deep')
  })
})
