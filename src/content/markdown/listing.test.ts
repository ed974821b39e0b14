import { describe, expect, it } from 'vitest'
import { wholePage } from '../../../test/markdown/whole-page.ts'

const markdown = (html: string) => wholePage(html)

describe('listings', () => {
  it('keep their exact text', () => {
    const text = '  a\n\n\tb *c* _d_ | # e\n   '
    expect(markdown(`<pre><code>${text}x</code></pre>`)).toBe(`\`\`\`\n${text}x\n\`\`\``)
  })

  it('are fenced without a code element too', () => {
    expect(markdown('<pre>a\n  b</pre>')).toBe('```\na\n  b\n```')
  })

  it('are fenced with more backticks than they contain', () => {
    expect(markdown('<pre>```js\na\n````</pre>')).toBe('`````\n```js\na\n````\n`````')
  })

  it('read entities and highlighted words as plain text', () => {
    expect(markdown('<pre><span class=k>if</span> a &lt; b &amp;&amp; c</pre>')).toBe(
      '```\nif a < b && c\n```',
    )
  })

  it('without text are omitted', () => {
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
  ])('have the language name in the fence: %s', (html, language) => {
    expect(markdown(html)).toBe(`\`\`\`${language}\na\n\`\`\``)
  })

  it('have line breaks if each line is an element', () => {
    expect(markdown('<pre><div>a</div><div>b</div></pre>')).toBe('```\na\nb\n```')
    expect(markdown('<pre><code><span class=line>a</span><span class=line>b</span></code></pre>')).toBe(
      '```\na\nb\n```',
    )
    expect(markdown('<pre>a<br>b</pre>')).toBe('```\na\nb\n```')
  })

  it('keep the text of an element with the class gutter that contains words', () => {
    expect(markdown('<section class="page gutter"><p>Some text</p></section>')).toBe('Some text')
  })

  it('omit line numbers', () => {
    const html = '<table><tr><td class=gutter><pre>1\n2</pre><td class=code><pre>a\nb</pre></table>'
    expect(markdown(html)).toBe('```\na\nb\n```')
    expect(markdown('<pre><span class="lineno">1</span>a</pre>')).toBe('```\na\n```')
  })

  it('omit the surrounding language name and copy button', () => {
    const html =
      '<pre><div>js</div><code>const a = 1</code><button>Copy</button></pre><button>Copy code</button>'
    expect(markdown(html)).toBe('```\nconst a = 1\n```')
  })
})
