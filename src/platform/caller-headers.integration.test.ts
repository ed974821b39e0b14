import { describe, expect, it } from 'vitest'
import { type Outgoing, withCallerHeaders } from './caller-headers.ts'

const caller = {
  home: 'https://home.example',
  headers: { authorization: 'secret', cookie: 'mine=1', referer: 'https://before.example/', 'x-own': 'yes' },
}

const sent = (url: string, changes: Partial<Outgoing> = {}) =>
  withCallerHeaders(caller, {
    ...{ url: new URL(url), headers: {}, isNavigation: true, method: 'GET', from: undefined },
    ...changes,
  })

describe('headers of a caller', () => {
  it.each([
    ['the page', 'https://home.example/'],
    ['another path', 'https://home.example/deep?query#part'],
    ['the same port, named', 'https://home.example:443/'],
  ])('go to %s', (_, url) => {
    expect(sent(url)).toEqual(caller.headers)
  })

  it.each([
    ['a navigation of the page itself', { from: caller.home }],
    ['a way back from elsewhere', { from: 'https://away.example' }],
    ['a document without an origin', { from: 'null' }],
    ['a form of the page', { from: caller.home, method: 'POST' }],
    ['a part of the page', { from: caller.home, isNavigation: false }],
  ])('go with %s, without the referer', (_, changes) => {
    const { referer, ...rest } = caller.headers
    expect(sent('https://home.example/2', changes)).toEqual(rest)
  })

  it.each([
    ['another host', 'https://away.example/'],
    ['a subdomain', 'https://sub.home.example/'],
    ['the parent domain', 'https://example/'],
    ['another port', 'https://home.example:8443/'],
    ['the same host without TLS', 'http://home.example/'],
    ['a name that begins alike', 'https://home.example.away.example/'],
    ['a user name that looks alike', 'https://home.example@away.example/'],
    ['a socket', 'wss://home.example/'],
    ['data', 'data:text/html,home.example'],
  ])('do not go to %s', (_, url) => {
    expect(sent(url)).toEqual({})
    expect(sent(url, { isNavigation: false, from: caller.home })).toEqual({})
  })

  it.each([
    ['a script', { isNavigation: false }],
    ['a frame without an origin', { isNavigation: false, from: 'null' }],
    ['a form', { method: 'POST' }],
  ])('are not lent to %s of another site', (_, changes) => {
    expect(sent('https://home.example/api', { from: 'https://away.example', ...changes })).toEqual({})
  })

  it('stand before cookies of the site, and in place of other headers', () => {
    const headers = { Cookie: 'site=1', 'X-Own': 'no', Accept: '*/*' }
    expect(sent('https://home.example/', { headers })).toMatchObject({
      cookie: 'mine=1; site=1',
      'x-own': 'yes',
      Accept: '*/*',
    })
    expect(Object.keys(sent('https://home.example/', { headers }))).not.toContain('X-Own')
  })

  it('leave alone what a request has of its own', () => {
    const headers = { Cookie: 'site=1', Referer: 'https://home.example/', Authorization: 'other' }
    expect(sent('https://away.example/', { headers })).toEqual(headers)
    expect(sent('https://home.example/', { headers })).toMatchObject({ Referer: 'https://home.example/' })
  })

  it('are taken back where a browser carries the referer along', () => {
    const headers = { Referer: 'https://before.example/', Accept: '*/*' }
    expect(sent('https://away.example/', { headers })).toEqual({ Accept: '*/*' })
  })
})
