import { expect, it } from 'vitest'
import { buildTree, sortChildren, type TreeNode } from './page-tree.ts'

const pageAt = (url: string) => ({ id: url, url, title: '', status: 200, size: 1 })
const names = (node: TreeNode | undefined) => (node ? sortChildren(node).map(({ name }) => name) : [])

it('groups pages by path segment, with folders first and numbers by value', () => {
  const urls = ['/', '/docs', '/docs/10', '/docs/9', '/docs/api/a', '/about', '/list?page=2']
  const root = buildTree(
    urls.map((path) => pageAt(`https://a.test${path}`)),
    [],
  )
  const host = root.children.get('a.test')
  expect(root.count).toBe(7)
  expect(names(host)).toEqual(['docs', 'about', 'list?page=2'])
  expect(host?.page?.url).toBe('https://a.test/')
  const docs = host?.children.get('docs')
  expect(names(docs)).toEqual(['api', '9', '10'])
  expect(docs).toMatchObject({ count: 4, page: { url: 'https://a.test/docs' } })
})

it('separates hosts and shows an invalid URL as one node', () => {
  const root = buildTree(
    [pageAt('https://a.test/x'), pageAt('https://b.test/x'), pageAt('not an address')],
    [],
  )
  expect(names(root)).toEqual(['a.test', 'b.test', 'not an address'])
})

it('shows failed pages at their path', () => {
  const failed = { id: '1', url: 'https://a.test/docs/lost', code: 'SCRAPE_SITE_ERROR', error: 'It closed.' }
  const docs = buildTree([pageAt('https://a.test/docs/found')], [failed])
    .children.get('a.test')
    ?.children.get('docs')
  expect(docs).toMatchObject({ count: 2, failed: 1 })
  expect(docs?.children.get('lost')).toMatchObject({ error: failed, failed: 1 })
})
