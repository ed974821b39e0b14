import { describe, expect, it } from 'vitest'
import { generalOptions } from './options.ts'
import { parseArguments } from './parse-arguments.ts'
import { requestBody } from './request.ts'
import { commands } from './table.ts'

const parse = (line: string) => parseArguments(line.split(' '), commands, generalOptions)
const parseBody = (line: string) => {
  const { command, values } = parse(line)
  return requestBody(command?.options ?? [], values)
}

describe('parseArguments', () => {
  it('accepts options before and after the command, and subcommands', () => {
    const { path, values, positionals } = parse('--url http://a.example browser --json run ID -l python code')
    expect(path.map(({ name }) => name)).toEqual(['browser', 'run'])
    expect(positionals).toEqual(['ID', 'code'])
    expect([values.texts.get('url'), values.texts.get('language')]).toEqual(['http://a.example', 'python'])
  })

  it('builds the request body from the command table', () => {
    expect(parseBody('crawl u -n 5 -f markdown,html -f links --no-main-content --include-path a,b')).toEqual({
      limit: 5,
      includePaths: ['a,b'],
      scrapeOptions: { formats: ['markdown', 'html', 'links'], onlyMainContent: false },
    })
  })

  it('accepts any other option with a JSON or text value', () => {
    expect(
      parseBody(
        'scrape u --option location.country=DE --option minAge=1 --option parsers=[] --option a.b.c=true',
      ),
    ).toEqual({ location: { country: 'DE' }, minAge: 1, parsers: [], a: { b: { c: true } } })
  })

  it('does not modify a prototype through a field name', () => {
    const body = parseBody('scrape u --option __proto__.polluted=1 --option constructor.prototype.polluted=1')
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    expect(Object.keys(body)).toEqual(['__proto__', 'constructor'])
  })

  it.each([
    ['scrap u', 'Do you mean "scrape"?'],
    ['browser opn', 'Do you mean "open"?'],
    ['crawl u --limit many', 'takes a number'],
    ['crawl u --limit=', 'takes a number'],
    ['crawl u --sitemap maybe', 'include, skip, only'],
    ['crawl u -f markdwn', 'Do you mean "markdown"?'],
    ['crawl u --limits 5', '--option limits=VALUE'],
    ['scrape u --option waitFor', 'NAME=VALUE'],
    ['scrape u --option actions=[1', 'is not JSON'],
    ['scrape u --options /nowhere.json', 'cannot be read'],
  ])('rejects %s with a suggestion', (line, message) => {
    expect(() => parseBody(line)).toThrow(message)
  })
})
