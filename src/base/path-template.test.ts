import { describe, expect, it } from 'vitest'
import { pathTemplate } from './path-template.ts'

const template = (path: string) => pathTemplate(new URL(path, 'https://a.example'))

describe('the template of a path', () => {
  it.each([
    ['numbers', '/product/12', '/product/4711'],
    ['titles', '/blog/a-day-at-sea', '/blog/rain_in_may'],
    ['names in a folder', '/docs/intro', '/docs/usage'],
    ['names of one ending', '/manual/intro.html', '/manual/usage.HTML'],
    ['values of parameters', '/list?page=1&sort=a', '/list?sort=b&page=27'],
    ['what lies deep', '/a/b/c/d/e/f', '/a/b/c/d/x/y/z'],
  ])('is one for all %s', (_, left, right) => {
    expect(template(left)).toBe(template(right))
  })

  it.each([
    ['folders', '/product/12', '/tag/12'],
    ['pages at the top', '/about', '/app'],
    ['a folder and its pages', '/docs/', '/docs/intro'],
    ['endings', '/docs/intro.html', '/docs/intro.pdf'],
    ['names of parameters', '/list?page=1', '/list?view=1'],
    ['hosts', '/x', 'https://b.example/x'],
  ])('differs between %s', (_, left, right) => {
    expect(template(left)).not.toBe(template(right))
  })
})
