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
    // Without the services on the network that it asks where a page has nothing to give.
    const found = await quietly(() => Defuddle(document, url, { markdown: true, useAsync: false }))
    return found.content ?? ''
  },
}

/** It prints what it could not parse, with the stack, between our lines. */
async function quietly<T>(work: () => Promise<T>): Promise<T> {
  const { error } = console
  console.error = () => {}
  try {
    return await work()
  } finally {
    console.error = error
  }
}
