import { Defuddle } from 'defuddle/node'
import { parseHTML } from 'linkedom'
import type { System } from './system.ts'

export const defuddle: System = {
  name: 'defuddle',
  title: 'Defuddle on linkedom',
  packages: ['defuddle', 'linkedom'],
  isSlow: true,
  async extract({ html, url }) {
    const { document } = parseHTML(html)
    // `useAsync: false` disables the network services that Defuddle calls if a page has no content.
    const result = await withoutErrors(() => Defuddle(document, url, { markdown: true, useAsync: false }))
    return result.content ?? ''
  },
}

/** Suppresses console errors, because Defuddle prints parse errors with their stack. */
async function withoutErrors<T>(work: () => Promise<T>): Promise<T> {
  const { error } = console
  console.error = () => {}
  try {
    return await work()
  } finally {
    console.error = error
  }
}
