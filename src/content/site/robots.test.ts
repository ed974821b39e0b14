import { describe, expect, it } from 'vitest'
import { allowAll, disallowAll, readRobots } from './robots.ts'

const rulesFor = async (text: string, agent: string) => (await readRobots(text)).rulesFor(agent)
const isAllowed = async (text: string, agent: string, path: string) =>
  (await rulesFor(text, agent)).allows(path)

/** Behaviour that large crawlers agree on, case by case: file, agent, path, and true if the path may be fetched. */
const cases: [what: string, file: string, agent: string, path: string, allowed: boolean][] = [
  ['an empty file', '', 'FooBot', '/', true],
  ['a known line syntax', 'user-agent: FooBot\ndisallow: /\n', 'FooBot', '/x/y', false],
  ['an unknown key', 'foo: FooBot\nbar: /\n', 'FooBot', '/x/y', true],
  ['a line without a colon', 'user-agent FooBot\ndisallow /\n', 'FooBot', '/x/y', false],
  ['rules before any agent', 'disallow: /\nuser-agent: FooBot\nallow: /x\n', 'FooBot', '/foo', true],
  ['a misspelt disallow', 'user-agent: FooBot\ndissallow: /a', 'FooBot', '/a', false],
  ['a misspelt agent key', 'useragent: FooBot\ndisallow: /a', 'FooBot', '/a', false],

  ['a group of its own', 'user-agent: A\ndisallow: /\nuser-agent: B\ndisallow: /b', 'B', '/a', true],
  [
    'two agents over one group',
    'user-agent: A\nuser-agent: B\ndisallow: /\nuser-agent: C\nallow: /',
    'A',
    '/x',
    false,
  ],
  [
    'the second of two agents',
    'user-agent: A\nuser-agent: B\ndisallow: /\nuser-agent: C\nallow: /',
    'B',
    '/x',
    false,
  ],
  [
    'the group after them',
    'user-agent: A\nuser-agent: B\ndisallow: /\nuser-agent: C\nallow: /',
    'C',
    '/x',
    true,
  ],
  [
    'a sitemap between agents',
    'user-agent: A\nsitemap: https://a.example/s.xml\nuser-agent: B\ndisallow: /',
    'A',
    '/x',
    false,
  ],
  [
    'groups of one agent far apart',
    'user-agent: A\ndisallow: /a\nuser-agent: B\ndisallow: /b\nuser-agent: A\ndisallow: /c',
    'A',
    '/c/1',
    false,
  ],

  ['keys in capitals', 'USER-AGENT: FooBot\nALLOW: /x/\nDISALLOW: /\n', 'FooBot', '/x/y', true],
  ['keys in mixed case', 'uSeR-aGeNt: FooBot\nAlLoW: /x/\ndIsAlLoW: /\n', 'FooBot', '/a/b', false],
  ['the agent in another case', 'User-Agent: FOO BAR\nAllow: /x/\nDisallow: /\n', 'foo', '/x/y', true],
  ['an agent cut at a space', 'User-Agent: Foo Bar\nDisallow: /\n', 'Foo', '/x', false],
  ['an agent with a version', 'User-Agent: Foo\nDisallow: /\n', 'Foo/2.1', '/x', false],
  [
    'an agent that only begins alike',
    'User-Agent: Foo\nDisallow: /\nUser-Agent: *\nAllow: /',
    'FooBot',
    '/x',
    true,
  ],

  ['everyone, with no group of its own', 'user-agent: *\ndisallow: /\n', 'BarBot', '/x', false],
  ['a star with more behind it', 'user-agent: * baz\ndisallow: /\n', 'FooBot', '/x', false],
  [
    'its own group over that of everyone',
    'user-agent: *\ndisallow: /\nuser-agent: FooBot\nallow: /',
    'FooBot',
    '/x',
    true,
  ],
  [
    'its own group without a rule',
    'user-agent: FooBot\ndisallow:\nuser-agent: *\ndisallow: /',
    'FooBot',
    '/x',
    true,
  ],

  ['paths in their own case', 'user-agent: FooBot\ndisallow: /X/\n', 'FooBot', '/x/y', true],
  [
    'the longest match',
    'user-agent: FooBot\ndisallow: /x/page.html\nallow: /x/\n',
    'FooBot',
    '/x/page.html',
    false,
  ],
  [
    'the longest match, allowing',
    'user-agent: FooBot\nallow: /x/page.html\ndisallow: /x/\n',
    'FooBot',
    '/x/page.html',
    true,
  ],
  ['an allow as long as the disallow', 'user-agent: FooBot\ndisallow: /x\nallow: /x\n', 'FooBot', '/x', true],
  ['two empty rules', 'user-agent: FooBot\ndisallow: \nallow: \n', 'FooBot', '/x/page.html', true],
  [
    'a star against a longer name',
    'user-agent: FooBot\ndisallow: *.html\nallow: /page\n',
    'FooBot',
    '/page.html',
    false,
  ],
  [
    'a prefix against a longer star',
    'user-agent: FooBot\ndisallow: /x/page.\nallow: /x/page.h*\n',
    'FooBot',
    '/x/page.html',
    true,
  ],

  ['a folder without its slash', 'User-agent: FooBot\nDisallow: /fish\n', 'FooBot', '/fish.html', false],
  ['a folder with its slash', 'User-agent: FooBot\nDisallow: /fish/\n', 'FooBot', '/fish', true],
  [
    'a folder and a query',
    'User-agent: FooBot\nDisallow: /fish/\n',
    'FooBot',
    '/fish/salmon?id=anything',
    false,
  ],
  ['a star at the end', 'User-agent: FooBot\nDisallow: /fish*\n', 'FooBot', '/fishheads/catfish.php', false],
  ['a star in the middle', 'User-agent: FooBot\nDisallow: /*.php\n', 'FooBot', '/folder/any.php.html', false],
  [
    'a star in the middle, other case',
    'User-agent: FooBot\nDisallow: /*.php\n',
    'FooBot',
    '/windows.PHP',
    true,
  ],
  ['an end', 'User-agent: FooBot\nDisallow: /*.php$\n', 'FooBot', '/file.php', false],
  [
    'an end with a query behind it',
    'User-agent: FooBot\nDisallow: /*.php$\n',
    'FooBot',
    '/file.php?x=1',
    true,
  ],
  ['a dollar in the middle', 'User-agent: FooBot\nDisallow: /a$b\n', 'FooBot', '/a$bc', false],
  ['a double slash in a query', 'User-agent: FooBot\nDisallow: /a?b=//c\n', 'FooBot', '/a?b=//c', false],
  ['the root alone', 'User-agent: FooBot\nDisallow: /$\n', 'FooBot', '/x', true],

  [
    'the folder of an allowed index file',
    'User-Agent: *\nAllow: /a/index.html\nDisallow: /a\n',
    'foobot',
    '/a/',
    true,
  ],
  [
    'what else is in that folder',
    'User-Agent: *\nAllow: /a/index.html\nDisallow: /a\n',
    'foobot',
    '/a/b',
    false,
  ],

  [
    'letters beyond ASCII',
    'User-agent: FooBot\nDisallow: /\nAllow: /foo/bar/ツ\n',
    'FooBot',
    '/foo/bar/%E3%83%84',
    true,
  ],
  [
    'escapes in small letters',
    'User-agent: FooBot\nDisallow: /\nAllow: /foo/%e3%83%84\n',
    'FooBot',
    '/foo/%E3%83%84',
    true,
  ],
  [
    'escapes that need none',
    'User-agent: FooBot\nDisallow: /\nAllow: /foo/%62%61%7A\n',
    'FooBot',
    '/foo/baz',
    false,
  ],
  [
    'the same escapes in the path',
    'User-agent: FooBot\nDisallow: /\nAllow: /foo/%62%61%7A\n',
    'FooBot',
    '/foo/%62%61%7A',
    true,
  ],

  ['comments', '# hello\nuser-agent: FooBot # me\ndisallow: / # all', 'FooBot', '/x', false],
  ['spaces around', '  user-agent  :  FooBot  \n   disallow:   /   ', 'FooBot', '/x', false],
  ['line ends of old machines', 'user-agent: FooBot\rdisallow: /\r', 'FooBot', '/x', false],
  ['a byte order mark', '\uFEFFuser-agent: FooBot\ndisallow: /', 'FooBot', '/x', false],
  ['half a byte order mark', '\uFFFDuser-agent: FooBot\ndisallow: /', 'FooBot', '/x', false],
  [
    'rubbish for a byte order mark',
    '\uFFFD\x11\uFFFDuser-agent: FooBot\ndisallow: /\n',
    'FooBot',
    '/x',
    true,
  ],
  ['a web page instead of rules', '<!doctype html><title>Home</title><p>a: b', 'FooBot', '/x', true],
  ['a fragment', 'user-agent: FooBot\ndisallow: /x#y', 'FooBot', '/x', false],
]

describe('readRobots', () => {
  it.each(cases)('reads %s', async (_, file, agent, path, allowed) => {
    expect(await isAllowed(file, agent, path)).toBe(allowed)
  })

  it('returns its sitemaps, at any position', async () => {
    const { sitemaps } = await readRobots(
      'Sitemap: https://a.example/1.xml\nuser-agent: *\nsite-map: /2.xml\n',
    )
    expect(sitemaps).toEqual(['https://a.example/1.xml', '/2.xml'])
  })

  it('returns the delay of the matching group', async () => {
    const robots = await readRobots(
      'user-agent: *\ncrawl-delay: 10\nuser-agent: Foo\ncrawl-delay: 0.5\ndisallow:',
    )
    expect((await robots.rulesFor('Foo')).crawlDelay).toBe(0.5)
    expect((await robots.rulesFor('Bar')).crawlDelay).toBe(10)
    expect((await rulesFor('user-agent: *\ncrawl-delay: soon', 'Foo')).crawlDelay).toBeUndefined()
  })

  it('allows everything or nothing without a file', async () => {
    expect((await allowAll.rulesFor('Foo')).allows('/x')).toBe(true)
    expect((await disallowAll.rulesFor('Foo')).allows('/x')).toBe(false)
  })

  it('matches patterns of many wildcards in linear time', async () => {
    const text = `user-agent: *\n${`disallow: /${'*a'.repeat(1000)}$\n`.repeat(200)}`
    expect(await isAllowed(text, 'Foo', `/${'a'.repeat(8000)}b`)).toBe(true)
  })

  it('compares a path with few of 46,000 rules with wildcards', async () => {
    const lines = Array.from({ length: 46_000 }, (_, index) => `disallow: /*a${index}`)
    const rules = await rulesFor(`user-agent: *\n${lines.join('\n')}`, 'Foo')
    expect(rules.check('/some/page?b=1').comparisons).toBe(0)
    expect(rules.check('/x/a30000')).toMatchObject({ isAllowed: false })
    expect(rules.check('/x/a30000').comparisons).toBeLessThan(100)
  })

  it('compiles the rules of an agent once', async () => {
    const robots = await readRobots('user-agent: *\ndisallow: /x')
    expect(robots.rulesFor('Foo/1.0')).toBe(robots.rulesFor('Foo/2.0'))
  })

  it('returns the same result as a comparison with every rule', async () => {
    const random = seededRandom(7)
    const text = (alphabet: string, limit: number) =>
      Array.from({ length: random(limit) }, () => alphabet[random(alphabet.length)]).join('')
    for (let round = 0; round < 2000; round += 1) {
      const rules = Array.from({ length: random(8) }, () => ({
        isAllow: random(2) === 0,
        pattern: `/${text('ab/*', 6)}${['', '$', 'index.html', '*'][random(4)]}`,
      }))
      const path = `/${text('ab/', 10)}${random(4) === 0 ? 'index.html' : ''}`
      const file = rules.map(({ isAllow, pattern }) => `${isAllow ? 'allow' : 'disallow'}: ${pattern}`)
      const shown = `${file.join(' ')} for ${path}`
      expect([shown, await isAllowed(`user-agent: *\n${file.join('\n')}`, 'Foo', path)]).toEqual([
        shown,
        decideByAll(rules, path),
      ])
    }
  })
})

/** The longest matching pattern applies; of two with the same length, the one that allows. */
function decideByAll(rules: { isAllow: boolean; pattern: string }[], path: string): boolean {
  const getMatchLength = ({ isAllow, pattern }: { isAllow: boolean; pattern: string }) => {
    if (toRegExp(pattern).test(path)) return pattern.length
    const folder = isAllow ? /^(.*\/)index\.html?$/.exec(pattern)?.[1] : undefined
    return folder !== undefined && toRegExp(`${folder}$`).test(path) ? folder.length + 1 : -1
  }
  const longest = Math.max(-1, ...rules.map(getMatchLength))
  return longest === -1 || rules.some((rule) => getMatchLength(rule) === longest && rule.isAllow)
}

const toRegExp = (pattern: string) =>
  new RegExp(
    `^${pattern
      .replaceAll('.', '\\.')
      .replaceAll('*', '.*')
      .replace(/\$(?!$)/g, '\\$')}`,
  )

function seededRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
