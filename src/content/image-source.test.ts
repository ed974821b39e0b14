import { describe, expect, it } from 'vitest'
import { imageSource, largestCandidate } from './image-source.ts'
import { tag } from './tree/names.ts'
import { parseHtml } from './tree/parse.ts'

describe('largestCandidate', () => {
  it.each([
    ['a.png 320w, b.png 1280w, c.png 640w', 'b.png'],
    ['a.png, b.png 2x', 'b.png'],
    ['a.png 1x,b.png 1.5x', 'b.png'],
    ['a.png', 'a.png'],
    ['w_100,h_50/a.png 1x, w_200,h_100/a.png 2x', 'w_200,h_100/a.png'],
    ['  a.png   2x  ,  b.png  ', 'a.png'],
    ['a.png, b.png', 'a.png'],
    ['data:image/png;base64,AA 1x, b.png 2x', 'b.png'],
  ])('returns for %j the candidate %s', (srcset, url) => {
    expect(largestCandidate(srcset)).toBe(url)
  })

  it('returns undefined for an empty srcset', () => {
    expect(largestCandidate('')).toBeUndefined()
    expect(largestCandidate(' , , ')).toBeUndefined()
    expect(largestCandidate(undefined)).toBeUndefined()
  })

  it('reads a srcset of a million commas', () => {
    expect(largestCandidate(`${','.repeat(1_000_000)}a.png`)).toBe('a.png')
  })
})

describe('imageSource', () => {
  const getSource = (html: string) => {
    const tree = parseHtml(html)
    return imageSource(tree, tree.tags.indexOf(tag.img))
  }

  it.each([
    ['the largest candidate', '<img src=s.png srcset="l.png 2x">', 'l.png'],
    ['its address', '<img src=s.png data-src=l.png>', 's.png'],
    ['what it will load later', '<img src="data:image/gif;base64,R0" data-src=l.png>', 'l.png'],
    ['what a script of its own will load later', '<img nitro-lazy-src=l.png class=nitro-lazy>', 'l.png'],
    ['what it will load later by any name', '<img src="data:,x" data-hi-res-src=l.png>', 'l.png'],
    ['one with a width', '<img src="l.png?w={width}">', 'l.png?w=1080'],
    ['the largest it will load later', '<img src=s.png data-srcset="a.png 1x, l.png 2x">', 'l.png'],
    ['that of its picture', '<picture><source srcset="l.webp 2x"><img alt=x></picture>', 'l.webp'],
    [
      'a placeholder when there is nothing else',
      '<img src="data:image/gif;base64,R0">',
      'data:image/gif;base64,R0',
    ],
  ])('returns %s', (_, html, source) => {
    expect(getSource(html)).toBe(source)
  })
})
