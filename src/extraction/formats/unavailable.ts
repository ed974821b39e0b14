import { defineFormat, type FormatSource } from './format.ts'

/** Formats that clients know and this version cannot produce. The other requested formats are returned, with a warning. */

export const video = defineFormat({
  ...fieldless('video', 'network'),
  description: 'The video on the page. Not available here.',
  absence: 'unavailable',
  render: () => ({
    unavailable: 'The format video is not available here: this version does not fetch videos.',
  }),
})

export const chunks = removed('chunks', 'split markdown with the text splitter of your RAG framework')

export const menu = removed('menu', 'request json with a schema of the items and their prices')

/** Earlier versions produced the format, so a request for it succeeds even without another format. */
function removed<const Name extends string>(name: Name, instead: string) {
  return defineFormat({
    ...fieldless(name, 'page'),
    description: `Removed. Instead, ${instead}.`,
    absence: 'removed',
    render: () => ({ unavailable: `The format ${name} was removed. Instead, ${instead}.` }),
  })
}

function fieldless<const Name extends string>(name: Name, readsFrom: FormatSource) {
  return { name, readsFrom, options: {}, output: {} }
}
