import type { Block, Item, ManualPage, Signature } from '../sources/block.ts'
import { escapeHtml, inline } from './inline.ts'

/** Returns the complete manual as one DocBook book, with a chapter for each page. */
export function docbook(pages: ManualPage[]): string {
  const chapters = pages.map(
    ({ name, title, blocks }) =>
      `<chapter id="${name === 'index' ? 'welcome' : name}"><title>${title}</title>\n${sections(blocks)}\n</chapter>`,
  )
  return `<?xml version="1.0"?>
<!DOCTYPE book PUBLIC "-//OASIS//DTD DocBook XML V4.5//EN" "http://www.oasis-open.org/docbook/xml/4.5/docbookx.dtd">
<book id="book"><bookinfo><title>The Skerry Handbook</title><legalnotice><para>Permission is granted to copy this handbook.</para></legalnotice></bookinfo>
${chapters.join('\n')}
</book>\n`
}

/** Converts headings to sections that contain the following blocks. */
function sections(blocks: Block[]): string {
  const notes = new Map(blocks.flatMap((item) => (item.kind === 'footnote' ? [[item.label, item.text]] : [])))
  const text: Text = (source) =>
    inline(source, {
      plain: escapeHtml,
      code: (part) => `<literal>${escapeHtml(part)}</literal>`,
      strong: (part) => `<emphasis role="bold">${part}</emphasis>`,
      emphasis: (part) => `<emphasis>${part}</emphasis>`,
      note: (label) => `<footnote><para>${notes.get(label)}</para></footnote>`,
    })
  let xml = ''
  let depth = 1
  for (const item of blocks) {
    if (item.kind === 'footnote') continue
    if (item.kind === 'heading') {
      for (; depth >= item.level; depth -= 1) xml += '</section>\n'
      xml += `<section><title>${escapeHtml(item.text)}</title>\n`
      depth = item.level
    } else xml += `${block(item, text)}\n`
  }
  return xml + '</section>'.repeat(depth - 1)
}

type Text = (source: string) => string

function block(source: Exclude<Block, { kind: 'footnote' | 'heading' }>, text: Text): string {
  switch (source.kind) {
    case 'paragraph':
      return `<para>${text(source.text)}</para>`
    case 'code': {
      const listing = `<programlisting language="${source.language}">${escapeHtml(source.text)}</programlisting>`
      return source.caption ? `<example><title>${source.caption}</title>${listing}</example>` : listing
    }
    case 'table':
      return table(source, text)
    case 'definitions':
      return `<variablelist>${source.entries.map(([term, meaning]) => `<varlistentry><term>${text(term)}</term><listitem><para>${text(meaning)}</para></listitem></varlistentry>`).join('\n')}</variablelist>`
    case 'note':
      return `<${source.type}><para>${text(source.text)}</para></${source.type}>`
    case 'list': {
      const name = source.isOrdered ? 'orderedlist' : 'itemizedlist'
      return `<${name}>${source.items.map((item) => listItem(item, text)).join('\n')}</${name}>`
    }
    case 'figure':
      return `<figure><title>${source.caption}</title><mediaobject><imageobject><imagedata fileref="${source.source}"/></imageobject><textobject><phrase>${source.alt}</phrase></textobject></mediaobject></figure>`
    case 'tabs':
      return source.tabs
        .map(
          (tab) =>
            `<formalpara><title>${tab.label}</title><para><screen>${escapeHtml(tab.text)}</screen></para></formalpara>`,
        )
        .join('\n')
    case 'details':
      return `<qandaset><qandaentry><question><para>${source.summary}</para></question><answer><para>${text(source.text)}</para></answer></qandaentry></qandaset>`
    case 'quote':
      return `<blockquote><para>${text(source.text)}</para></blockquote>`
    case 'signature':
      return signature(source.signature)
  }
}

function table({ caption, head, rows }: Extract<Block, { kind: 'table' }>, text: Text): string {
  const name = caption ? 'table' : 'informaltable'
  const line = (row: string[]) => `<row>${row.map((cell) => `<entry>${text(cell)}</entry>`).join('')}</row>`
  const title = caption ? `<title>${caption}</title>` : ''
  return `<${name}>${title}<tgroup cols="${head.length}"><thead>${line(head)}</thead><tbody>${rows.map(line).join('\n')}</tbody></tgroup></${name}>`
}

function listItem(item: Item, text: Text): string {
  if (typeof item === 'string') return `<listitem><para>${text(item)}</para></listitem>`
  const inner = item[1].map((part) => `<listitem><para>${text(part)}</para></listitem>`).join('')
  return `<listitem><para>${text(item[0])}</para><itemizedlist>${inner}</itemizedlist></listitem>`
}

function signature({ name, parameters, returns, text }: Signature): string {
  const paramDefs = parameters.map(
    (parameter) => `<paramdef>${parameter.type} <parameter>${parameter.name}</parameter></paramdef>`,
  )
  const entries = parameters.map(
    (parameter) =>
      `<varlistentry><term><parameter>${parameter.name}</parameter></term><listitem><para>${parameter.text}</para></listitem></varlistentry>`,
  )
  return `<funcsynopsis><funcprototype><funcdef>${returns.type} <function>${name}</function></funcdef>${paramDefs.join('')}</funcprototype></funcsynopsis>
<para>${text}</para><variablelist>${entries.join('')}</variablelist><para>Returns: ${returns.text}</para>`
}
