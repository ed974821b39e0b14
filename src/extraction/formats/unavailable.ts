import { defineFormat, type FormatSource } from './format.ts'

export const video = defineFormat({
  ...fieldless('video', 'network'),
  description: 'Video of the page. Not available.',
  absence: 'unavailable',
  render: () => ({
    unavailable: 'The format video is not available here: this version does not fetch videos.',
  }),
})

export const chunks = removed('chunks', 'split markdown with the text splitter of your RAG framework')

export const menu = removed('menu', 'request json with a schema of the items and their prices')

/** Earlier versions produced these formats, so a request for one succeeds even without another format. */
function removed<const Name extends string>(name: Name, alternative: string) {
  return defineFormat({
    ...fieldless(name, 'page'),
    description: `Removed. Instead, ${alternative}.`,
    absence: 'removed',
    render: () => ({ unavailable: `The format ${name} was removed. Instead, ${alternative}.` }),
  })
}

function fieldless<const Name extends string>(name: Name, readsFrom: FormatSource) {
  return { name, readsFrom, options: {}, output: {} }
}
