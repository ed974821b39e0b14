import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { once } from '../../base/once.ts'
import type { DocPages } from './doc-pages.ts'
import type { LinkOf } from './render-page.ts'

const description = 'docs/openapi.json'

/** Links between files of the repository → links on the service. */
export function docLinks(root: string, pages: DocPages): LinkOf {
  const operations = once(() => readOperations(root))
  return (href, page) => {
    if (/^(?:https?:|mailto:)/i.test(href) || href.startsWith('#')) return href
    if (/^[a-z][a-z\d+.-]*:/i.test(href) || href.startsWith('/')) return undefined
    const [file = '', place] = href.split('#', 2)
    const path = posix.join(posix.dirname(page.path), file)
    if (path === description) return operations().get(`#${place}`) ?? '/docs/reference'
    if (/^docs\/pictures\/[\w-]+\.png$/.test(path)) return `/${path}`
    const target = pages.byPath.get(path)
    return target && `${target.url}${place === undefined ? '' : `#${place}`}`
  }
}

interface Described {
  paths: Record<string, Record<string, { tags: string[]; operationId: string }>>
}

/** Where the reference shows an operation, by its pointer in the description. */
function readOperations(root: string): Map<string, string> {
  // A file of our own, written by `generate`.
  const { paths } = JSON.parse(readFileSync(join(root, description), 'utf8')) as Described
  const places = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { tags, operationId }]): [string, string] => [
      `#/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1')}/${method}`,
      `/docs/reference#/${encodeURIComponent(tags[0] ?? '')}/${operationId}`,
    ]),
  )
  return new Map(places)
}
