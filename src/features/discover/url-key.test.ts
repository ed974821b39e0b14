import { describe, expect, it } from 'vitest'
import { cleanUrl, urlKey } from './url-key.ts'

const similar = { similar: true, withoutQuery: false }
const getKey = (text: string, equivalence = similar) => urlKey(new URL(text), equivalence)

describe('urlKey', () => {
  it.each([
    ['the scheme', 'http://a.example/x', 'https://a.example/x'],
    ['www', 'https://www.a.example/x', 'https://a.example/x'],
    ['a slash at the end', 'https://a.example/x/', 'https://a.example/x'],
    ['an index file', 'https://a.example/x/index.html', 'https://a.example/x/'],
    ['a fragment', 'https://a.example/x#part', 'https://a.example/x'],
    ['the order of parameters', 'https://a.example/x?b=2&a=1', 'https://a.example/x?a=1&b=2'],
    ['trackers', 'https://a.example/x?utm_source=mail&id=1&gclid=7', 'https://a.example/x?id=1'],
    ['the id of a visit', 'https://a.example/x?PHPSESSID=abc&id=1', 'https://a.example/x?id=1'],
    ['the id of a visit in the path', 'https://a.example/x;jsessionid=17?id=1', 'https://a.example/x?id=1'],
    ['an id under a common name', 'https://a.example/x?sid=0123456789abcdef0123', 'https://a.example/x'],
    ['an empty query', 'https://a.example/x?', 'https://a.example/x'],
    ['a place in a route', 'https://a.example/#/one?id=part', 'https://a.example/#/one'],
    ['a slash at the end of a route', 'https://a.example/#/one/', 'https://a.example/#/one'],
    ['the route of the first page', 'https://a.example/x/#/', 'https://a.example/x/'],
  ])('ignores %s', (_, left, right) => {
    expect(getKey(left)).toBe(getKey(right))
  })

  it.each([
    ['the host', 'https://a.example/', 'https://b.example/'],
    ['the port', 'https://a.example:8443/', 'https://a.example/'],
    ['the path', 'https://a.example/x', 'https://a.example/X'],
    ['a parameter', 'https://a.example/?page=1', 'https://a.example/?page=2'],
    ['a parameter named like a visit', 'https://a.example/?session=1', 'https://a.example/?session=2'],
    ['a route in the fragment', 'https://a.example/#/one', 'https://a.example/#/two'],
    ['a parameter of a route', 'https://a.example/#/one?page=1', 'https://a.example/#/one?page=2'],
    ['a folder named like an index', 'https://a.example/index', 'https://a.example/'],
  ])('distinguishes %s', (_, left, right) => {
    expect(getKey(left)).not.toBe(getKey(right))
  })

  it('distinguishes similar URLs with similar false', () => {
    const exact = { similar: false, withoutQuery: false }
    expect(getKey('https://www.a.example/', exact)).not.toBe(getKey('https://a.example/', exact))
    expect(getKey('https://a.example/x/', exact)).not.toBe(getKey('https://a.example/x', exact))
    expect(getKey('https://a.example/x#y', exact)).toBe(getKey('https://a.example/x', exact))
  })

  it('ignores the query with withoutQuery true', () => {
    const bare = { similar: true, withoutQuery: true }
    expect(getKey('https://a.example/x?page=2', bare)).toBe(getKey('https://a.example/x', bare))
    expect(getKey('https://a.example/#/x?page=2', bare)).toBe(getKey('https://a.example/#/x', bare))
  })
})

describe('cleanUrl', () => {
  it('removes trackers, fragment and credentials', () => {
    const url = cleanUrl(new URL('https://me:secret@a.example/x?utm_source=m&id=1#part'))
    expect(url.href).toBe('https://a.example/x?id=1')
  })

  it('changes nothing else', () => {
    expect(cleanUrl(new URL('https://a.example/x/?b=2&a=%20#/route')).href).toBe(
      'https://a.example/x/?b=2&a=%20#/route',
    )
  })

  it('does not modify a query with thousands of parameters', () => {
    const url = new URL(`https://a.example/?${'b&a&'.repeat(1000)}`)
    expect(urlKey(url, { similar: true, withoutQuery: false })).toBe(`a.example${url.search}`)
    expect(cleanUrl(new URL(`${url.href}&utm_source=x`)).search).toContain('utm_source')
  })
})
