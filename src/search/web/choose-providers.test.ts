import { describe, expect, it } from 'vitest'
import { providers } from '../providers/all.ts'
import { chooseProviders, type ProviderSettings } from './choose-providers.ts'

const choose = (settings: Partial<ProviderSettings> = {}) =>
  chooseProviders(providers, { providers: undefined, keys: new Map(), urls: new Map(), ...settings })

const names = (groups: { provider: { name: string } }[][]) =>
  groups.map((group) => group.map(({ provider }) => provider.name))

describe('without settings', () => {
  it('has a provider for everything, and none that needs a key', () => {
    const chosen = choose()
    expect(names(chosen.groupsFor('web'))).toEqual([['duckduckgo'], ['wikipedia']])
    expect(names(chosen.groupsFor('research'))).toEqual([['arxiv', 'crossref', 'openalex']])
    expect(names(chosen.groupsFor('github'))).toEqual([['github', 'github-issues']])
    expect(names(chosen.groupsFor('images'))).toEqual([['openverse', 'wikimedia-commons']])
    expect(names(chosen.groupsFor('news'))).toEqual([['gdelt', 'google-news']])
    expect(chosen.names).not.toContain('brave')
  })
})

describe('with a key or a URL', () => {
  it('puts the provider first', () => {
    const chosen = choose({
      keys: new Map([['brave', 'K']]),
      urls: new Map([['searxng', 'http://10.0.0.1:8888']]),
    })
    expect(names(chosen.groupsFor('web'))).toEqual([['searxng'], ['brave'], ['duckduckgo'], ['wikipedia']])
    expect(names(chosen.groupsFor('news'))).toEqual([['searxng'], ['brave'], ['gdelt', 'google-news']])
    expect(chosen.groupsFor('web')[0]?.[0]?.endpoint).toEqual({ base: 'http://10.0.0.1:8888' })
  })

  it('accepts a key of a provider that needs none', () => {
    const [[github] = []] = choose({ keys: new Map([['github', 'token']]) }).groupsFor('github')
    expect(github?.endpoint.key).toBe('token')
  })
})

describe('with a list of providers', () => {
  it('uses only these providers, in the given order', () => {
    const chosen = choose({ providers: ['wikipedia', 'duckduckgo'] })
    expect(names(chosen.groupsFor('web'))).toEqual([['wikipedia'], ['duckduckgo']])
    expect(chosen.groupsFor('images')).toEqual([])
  })

  it('uses no provider for "none"', () => {
    expect(choose({ providers: ['none'] }).names).toEqual([])
  })
})

describe('with invalid settings', () => {
  it.each([
    [{ providers: ['altavista'] }, /SEARCH_PROVIDERS names "altavista"\. Known .*duckduckgo/],
    [{ providers: ['brave'] }, 'SEARCH_PROVIDERS names "brave", which needs SEARCH_KEYS.'],
    [{ providers: ['searxng'] }, 'SEARCH_PROVIDERS names "searxng", which needs SEARCH_URLS.'],
    [{ keys: new Map([['x', 'y']]) }, /SEARCH_KEYS names "x"/],
    [
      { urls: new Map([['searxng', 'localhost:8888']]) },
      'SEARCH_URLS: the address of searxng is no http(s) URL.',
    ],
  ])('throws for %j', (settings, message) => {
    expect(() => choose(settings)).toThrow(message)
  })
})
