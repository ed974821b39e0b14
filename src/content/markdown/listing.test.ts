import { describe, expect, it } from 'vitest'
import { wholePage } from '../../../test/markdown/whole-page.ts'

const markdown = (html: string) => wholePage(html)

describe('listings', () => {
  it('keep their text exactly', () => {
    const text = '  a\n\n\tb *c* _d_ | # e\n   '
    expect(markdown(`<pre><code>${text}x</code></pre>`)).toBe(`\`\`\`\n${text}x\n\`\`\``)
  })

  it('are fenced without a code element too', () => {
    expect(markdown('<pre>a\n  b</pre>')).toBe('```\na\n  b\n```')
  })

  it('are fenced with more backticks than they hold', () => {
    expect(markdown('<pre>```js\na\n````</pre>')).toBe('`````\n```js\na\n````\n`````')
  })

  it('read entities and coloured words as plain text', () => {
    expect(markdown('<pre><span class=k>if</span> a &lt; b &amp;&amp; c</pre>')).toBe(
      '```\nif a < b && c\n```',
    )
  })

  it('without text are nothing', () => {
    expect(markdown('<pre> \n </pre>')).toBe('')
  })

  it.each([
    ['<pre><code class="language-js">a</code></pre>', 'javascript'],
    ['<pre class="lang-py">a</pre>', 'python'],
    ['<pre><code class="hljs typescript">a</code></pre>', 'typescript'],
    ['<div class="highlight highlight-source-shell"><pre>a</pre></div>', 'bash'],
    ['<div class="highlight-python notranslate"><div class="highlight"><pre>a</pre></div></div>', 'python'],
    ['<pre class="brush: sql; gutter: true">a</pre>', 'sql'],
    ['<pre data-language="c++">a</pre>', 'cpp'],
    ['<pre class="sourceCode haskell"><code>a</code></pre>', 'haskell'],
    ['<pre><code class="language-plaintext">a</code></pre>', ''],
    ['<pre class="code-block">a</pre>', ''],
  ])('name their language: %s', (html, language) => {
    expect(markdown(html)).toBe(`\`\`\`${language}\na\n\`\`\``)
  })

  it('break lines where every line is an element', () => {
    expect(markdown('<pre><div>a</div><div>b</div></pre>')).toBe('```\na\nb\n```')
    expect(markdown('<pre><code><span class=line>a</span><span class=line>b</span></code></pre>')).toBe(
      '```\na\nb\n```',
    )
    expect(markdown('<pre>a<br>b</pre>')).toBe('```\na\nb\n```')
  })

  it('keeps the text of an element that is called a gutter and holds words', () => {
    expect(markdown('<section class="page gutter"><p>Some text</p></section>')).toBe('Some text')
  })

  it('lose their line numbers', () => {
    const html = '<table><tr><td class=gutter><pre>1\n2</pre><td class=code><pre>a\nb</pre></table>'
    expect(markdown(html)).toBe('```\na\nb\n```')
    expect(markdown('<pre><span class="lineno">1</span>a</pre>')).toBe('```\na\n```')
  })

  it('lose the name and the button around them', () => {
    const html =
      '<pre><div>js</div><code>const a = 1</code><button>Copy</button></pre><button>Copy code</button>'
    expect(markdown(html)).toBe('```\nconst a = 1\n```')
  })
})
