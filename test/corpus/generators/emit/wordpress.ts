import type { Block, Item, ManualPage, Signature } from '../sources/block.ts'
import { escapeHtml, inline } from './inline.ts'

/** Returns a page of the manual as the WordPress block editor stores it. */
export const wordpress = ({ blocks }: ManualPage) => blocks.map(block).join('\n\n')

const text = (source: string) =>
  inline(source, {
    plain: escapeHtml,
    code: (part) => `<code>${escapeHtml(part)}</code>`,
    strong: (part) => `<strong>${part}</strong>`,
    emphasis: (part) => `<em>${part}</em>`,
    note: (label) =>
      `<sup data-fn="fn-${label}" class="fn"><a href="#fn-${label}" id="fn-${label}-link">${label}</a></sup>`,
  })

const toBlock = (name: string, html: string) => `<!-- wp:${name} -->\n${html}\n<!-- /wp:${name} -->`

function block(source: Block): string {
  switch (source.kind) {
    case 'paragraph':
      return toBlock('paragraph', `<p>${text(source.text)}</p>`)
    case 'heading':
      return toBlock(
        `heading {"level":${source.level}}`,
        `<h${source.level}>${escapeHtml(source.text)}</h${source.level}>`,
      ).replace(`/wp:heading {"level":${source.level}}`, '/wp:heading')
    case 'code': {
      const listing = toBlock(
        'code',
        `<pre class="wp-block-code"><code lang="${source.language}" class="language-${source.language}">${escapeHtml(source.text)}</code></pre>`,
      )
      return source.caption
        ? `${toBlock('paragraph', `<p><em>${source.caption}</em></p>`)}\n\n${listing}`
        : listing
    }
    case 'table': {
      const line = (row: string[], name: string) =>
        `<tr>${row.map((cell) => `<${name}>${text(cell)}</${name}>`).join('')}</tr>`
      const caption = source.caption
        ? `<figcaption class="wp-element-caption">${source.caption}</figcaption>`
        : ''
      return toBlock(
        'table',
        `<figure class="wp-block-table"><table><thead>${line(source.head, 'th')}</thead><tbody>${source.rows.map((row) => line(row, 'td')).join('')}</tbody></table>${caption}</figure>`,
      )
    }
    case 'definitions':
      return toBlock(
        'html',
        `<dl>${source.entries.map(([term, meaning]) => `<dt>${text(term)}</dt><dd>${text(meaning)}</dd>`).join('\n')}</dl>`,
      )
    case 'note':
      return toBlock(
        'paragraph',
        `<p><strong>${source.type.charAt(0).toUpperCase()}${source.type.slice(1)}:</strong> ${text(source.text)}</p>`,
      )
    case 'list': {
      const name = source.isOrdered ? 'ol' : 'ul'
      return toBlock('list', `<${name}>${source.items.map(listItem).join('')}</${name}>`)
    }
    case 'figure':
      return toBlock(
        'image',
        `<figure class="wp-block-image size-large"><img src="/wp-content/uploads/${source.source}" alt="${source.alt}"/><figcaption class="wp-element-caption">${source.caption}</figcaption></figure>`,
      )
    case 'tabs':
      return source.tabs
        .map(
          (tab) =>
            `${toBlock('paragraph', `<p><strong>${tab.label}</strong></p>`)}\n\n${toBlock('code', `<pre class="wp-block-code"><code>${escapeHtml(tab.text)}</code></pre>`)}`,
        )
        .join('\n\n')
    case 'footnote':
      return toBlock(
        'html',
        `<ol class="wp-block-footnotes" start="${source.label}"><li id="fn-${source.label}">${text(source.text)} <a href="#fn-${source.label}-link" aria-label="Jump to footnote reference ${source.label}">↩︎</a></li></ol>`,
      )
    case 'details':
      return toBlock(
        'html',
        `<details><summary>${source.summary}</summary><p>${text(source.text)}</p></details>`,
      )
    case 'quote':
      return toBlock(
        'quote',
        `<blockquote class="wp-block-quote"><p>${text(source.text)}</p><cite>A pilot</cite></blockquote>`,
      )
    case 'signature':
      return signature(source.signature)
  }
}

function listItem(item: Item): string {
  if (typeof item === 'string') return `<li>${text(item)}</li>`
  return `<li>${text(item[0])}<ul>${item[1].map((part) => `<li>${text(part)}</li>`).join('')}</ul></li>`
}

function signature({ name, parameters, returns, text: description }: Signature): string {
  const names = parameters.map(
    (parameter) => parameter.name + (parameter.default ? `=${parameter.default}` : ''),
  )
  const heading = toBlock('heading', `<h2><code>${name}(${names.join(', ')})</code></h2>`)
  const items = parameters.map(
    (parameter) =>
      `<li><code>${parameter.name}</code> (<code>${parameter.type}</code>): ${parameter.text}</li>`,
  )
  const list = toBlock('list', `<ul>${items.join('')}</ul>`)
  return [
    heading,
    toBlock('paragraph', `<p>${description}</p>`),
    list,
    toBlock('paragraph', `<p><strong>Returns</strong> <code>${returns.type}</code>: ${returns.text}</p>`),
  ].join('\n\n')
}
