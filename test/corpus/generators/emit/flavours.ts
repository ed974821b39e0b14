import { indented } from './inline.ts'
import { type Flavour, fence } from './markdown.ts'

const titled = (tab: { label: string; language: string; text: string }) =>
  `**${tab.label}**\n\n${fence(tab.language, tab.text)}`

const htmlDetails = (summary: string, text: string) =>
  `<details>\n<summary>${summary}</summary>\n\n${text}\n\n</details>`

const python = {
  note: (type: string, text: string) => `!!! ${type}\n\n    ${text}`,
  hasDefinitions: true,
  indent: '    ',
}

export const mkdocs: Flavour = {
  ...python,
  caption: 'paragraph',
  tabs: (tabs) => tabs.map(titled).join('\n\n'),
  details: (summary, text) => `**${summary}**\n\n${text}`,
}

export const material: Flavour = {
  ...python,
  caption: 'title',
  tabs: (tabs) =>
    tabs
      .map((tab) => `=== "${tab.label}"\n\n${indented(fence(tab.language, tab.text), '    ')}`)
      .join('\n\n'),
  details: (summary, text) => `??? note "${summary}"\n\n    ${text}`,
}

const docusaurusNotes: Record<string, string> = { caution: 'danger', important: 'info' }

export const docusaurus: Flavour = {
  caption: 'title',
  note: (type, text) => `:::${docusaurusNotes[type] ?? type}\n\n${text}\n\n:::`,
  tabs: (tabs) =>
    `<Tabs>\n${tabs.map((tab) => `<TabItem value="${tab.label}">\n\n${fence(tab.language, tab.text)}\n\n</TabItem>`).join('\n')}\n</Tabs>`,
  details: htmlDetails,
  hasDefinitions: false,
  indent: '   ',
}

const vitepressNotes: Record<string, string> = { note: 'info', caution: 'danger', important: 'warning' }

export const vitepress: Flavour = {
  caption: 'paragraph',
  note: (type, text) => `::: ${vitepressNotes[type] ?? type}\n${text}\n:::`,
  tabs: (tabs) =>
    `::: code-group\n\n${tabs.map((tab) => fence(tab.language, tab.text, ` [${tab.label}]`)).join('\n\n')}\n\n:::`,
  details: (summary, text) => `::: details ${summary}\n${text}\n:::`,
  hasDefinitions: false,
  indent: '   ',
}

export const honkit: Flavour = {
  caption: 'paragraph',
  note: (type, text) => `> **${type.charAt(0).toUpperCase()}${type.slice(1)}** ${text}`,
  tabs: (tabs) => tabs.map(titled).join('\n\n'),
  details: (summary, text) => `**${summary}**\n\n${text}`,
  hasDefinitions: false,
  indent: '   ',
}
