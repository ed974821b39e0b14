import { describe, expect, it } from 'vitest'
import { type OutgoingRequest, withCallerHeaders } from './caller-headers.ts'

const caller = {
  origin: 'https://home.example',
  headers: { authorization: 'secret', cookie: 'mine=1', referer: 'https://before.example/', 'x-own': 'yes' },
}

const headersFor = (url: string, changes: Partial<OutgoingRequest> = {}) =>
  withCallerHeaders(caller, {
    ...{ url: new URL(url), headers: {}, isNavigation: true, method: 'GET', from: undefined },
    ...changes,
  })

describe('withCallerHeaders', () => {
  it.each([
    ['the page', 'https://home.example/'],
    ['another path', 'https://home.example/deep?query#part'],
    ['the same port, named', 'https://home.example:443/'],
  ])('sends the caller headers to %s', (_, url) => {
    expect(headersFor(url)).toEqual(caller.headers)
  })

  it.each([
    ['a navigation of the page itself', { from: caller.origin }],
    ['a way back from elsewhere', { from: 'https://away.example' }],
    ['a document without an origin', { from: 'null' }],
    ['a form of the page', { from: caller.origin, method: 'POST' }],
    ['a part of the page', { from: caller.origin, isNavigation: false }],
  ])('sends the caller headers without the referer for %s', (_, changes) => {
    const { referer, ...rest } = caller.headers
    expect(headersFor('https://home.example/2', changes)).toEqual(rest)
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
  ])('does not send the caller headers to %s', (_, url) => {
    expect(headersFor(url)).toEqual({})
    expect(headersFor(url, { isNavigation: false, from: caller.origin })).toEqual({})
  })

  it.each([
    ['a script', { isNavigation: false }],
    ['a frame without an origin', { isNavigation: false, from: 'null' }],
    ['a form', { method: 'POST' }],
  ])('does not send the caller headers for %s of another site', (_, changes) => {
    expect(headersFor('https://home.example/api', { from: 'https://away.example', ...changes })).toEqual({})
  })

  it('puts caller cookies before site cookies, and replaces other headers of the same name', () => {
    const headers = { Cookie: 'site=1', 'X-Own': 'no', Accept: '*/*' }
    expect(headersFor('https://home.example/', { headers })).toMatchObject({
      cookie: 'mine=1; site=1',
      'x-own': 'yes',
      Accept: '*/*',
    })
    expect(Object.keys(headersFor('https://home.example/', { headers }))).not.toContain('X-Own')
  })

  it('keeps the headers of a request to another origin, and its own referer', () => {
    const headers = { Cookie: 'site=1', Referer: 'https://home.example/', Authorization: 'other' }
    expect(headersFor('https://away.example/', { headers })).toEqual(headers)
    expect(headersFor('https://home.example/', { headers })).toMatchObject({
      Referer: 'https://home.example/',
    })
  })

  it('removes the caller referer that a browser keeps on a redirect to another origin', () => {
    const headers = { Referer: 'https://before.example/', Accept: '*/*' }
    expect(headersFor('https://away.example/', { headers })).toEqual({ Accept: '*/*' })
  })
})
