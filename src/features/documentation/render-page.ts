import { escapeAttribute, escapeText } from 'entities'
import { Marked, type Token, type Tokens } from 'marked'
import { inlineText } from '../../reading/passages/inline-text.ts'
import { anchors } from '../../search/docs/anchors.ts'
import { tablesOfNames } from '../../search/docs/read-docs.ts'
import type { DocPage } from './doc-pages.ts'

export interface RenderedPage {
  html: string
  /** Its headings of the second level. */
  contents: { title: string; anchor: string }[]
}

/** Where a link of a page leads on the service; undefined: nowhere there. */
export type LinkOf = (href: string, page: DocPage) => string | undefined

/** Markdown → HTML. Nothing of it is passed through: markup in it is shown as text, and links lead where `linkOf` says. */
export function renderPage(page: DocPage, linkOf: LinkOf): RenderedPage {
  const contents: RenderedPage['contents'] = []
  const anchorOf = anchors()
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const title = inlineText(text)
        const anchor = anchorOf(title)
        if (depth === 2) contents.push({ title, anchor })
        return `<h${depth} id="${escapeAttribute(anchor)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens)
        const target = linkOf(href, page)
        if (target === undefined) return `<span class="file" title="In the repository">${text}</span>`
        return `<a href="${escapeAttribute(target)}">${text}</a>`
      },
      image({ href, text }) {
        const source = linkOf(href, page)
        const alternative = escapeAttribute(text)
        return source === undefined
          ? alternative
          : `<img src="${escapeAttribute(source)}" alt="${alternative}">`
      },
      // Comments are for those who edit the file.
      html: ({ text }) => escapeText(text.replace(/<!--.*?-->/gs, '')),
      code: codeHtml,
      table(token) {
        const cells = (row: Tokens.TableCell[], tag: string) =>
          row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')
        const rows = token.rows.map((row) => `<tr${rowId(page, row)}>${cells(row, 'td')}</tr>`).join('\n')
        const head = `<thead><tr>${cells(token.header, 'th')}</tr></thead>`
        return `<div class="wide" tabindex="0" role="group" aria-label="Table"><table>${head}<tbody>${rows}</tbody></table></div>\n`
      },
    },
  })
  const parts = groupCode(marked.lexer(page.markdown))
  const html = parts.map((part, at) =>
    part.isChoice ? choiceHtml(part.codes, at) : marked.parser(part.tokens),
  )
  return { html: html.join(''), contents }
}

/** A row about one name is where links to that name lead. */
function rowId({ path }: DocPage, row: Tokens.TableCell[]): string {
  const names = tablesOfNames[path]
  const name = names && inlineText(row[names.nameColumn]?.text ?? '')
  return name ? ` id="${escapeAttribute(name)}"` : ''
}

const languages: Record<string, string> = { sh: 'curl', ts: 'TypeScript', python: 'Python' }

function codeHtml({ text, lang = '' }: Pick<Tokens.Code, 'text' | 'lang'>): string {
  const label = languages[lang] ?? (lang || 'Text')
  const kind = lang === 'json' || lang === 'text' ? ' class="answer"' : ''
  return `<pre${kind} tabindex="0" aria-label="${escapeAttribute(label)}"><code>${escapeText(text)}</code></pre>\n`
}

type Part = { isChoice: true; codes: Tokens.Code[] } | { isChoice: false; tokens: Token[] }

/** The same example in several languages, one below the other, is one choice. */
function groupCode(tokens: readonly Token[]): Part[] {
  const parts: Part[] = []
  for (const block of tokens) {
    const last = parts.at(-1)
    if (isExample(block)) {
      if (last?.isChoice && last.codes.every(({ lang }) => lang !== block.lang)) last.codes.push(block)
      else parts.push({ isChoice: true, codes: [block] })
    } else if (last && !last.isChoice) last.tokens.push(block)
    else if (block.type !== 'space') parts.push({ isChoice: false, tokens: [block] })
  }
  return parts
}

const isExample = (block: Token): block is Tokens.Code =>
  block.type === 'code' && languages[block.lang ?? ''] !== undefined

/** Works without a script: what is chosen is shown by the style. */
function choiceHtml(codes: readonly Tokens.Code[], at: number): string {
  const [first] = codes
  if (codes.length === 1 && first) return codeHtml(first)
  const choices = codes.map(({ lang = '' }, index) => {
    const id = `example-${at}-${index}`
    const label = languages[lang] ?? lang
    const state = index === 0 ? ' checked' : ''
    return `<input type="radio" name="example-${at}" id="${id}" data-language="${lang}"${state}><label for="${id}">${label}</label>`
  })
  const legend = '<legend class="hidden">Language of the example</legend>'
  return `<fieldset class="choice">${legend}${choices.join('')}${codes.map(codeHtml).join('')}</fieldset>\n`
}
