import { describe, expect, it } from 'vitest'
import { hashRoute } from './hash-route.ts'

const routeOf = (fragment: string) => hashRoute(new URL(`https://a.example/docs/${fragment}`))

describe('the route in a fragment', () => {
  it.each([
    ['#/guide', '#/guide'],
    ['#!/guide/deep', '#!/guide/deep'],
    ['#!about', '#!about'],
    ['#/search?q=x', '#/search?q=x'],
    ['#/product?id=42', '#/product?id=42'],
    ['#/order?id=0198c1de-7a2b-7c3d-8e4f-123456789abc', '#/order?id=0198c1de-7a2b-7c3d-8e4f-123456789abc'],
  ])('of %s is %s', (fragment, route) => {
    expect(routeOf(fragment)).toBe(route)
  })

  it.each([
    ['#/guide?id=section', '#/guide'],
    ['#/guide?id=_2-steps', '#/guide'],
    ['#/guide?lang=de&id=section', '#/guide?lang=de'],
    ['#/guide#section', '#/guide'],
    ['#/guide?', '#/guide'],
  ])('of %s is %s, without the place on the page', (fragment, route) => {
    expect(routeOf(fragment)).toBe(route)
  })

  it.each(['', '#', '#section', '#id=section', '#/', '#!/', '#!', '#/?id=section'])(
    'of "%s" is none',
    (fragment) => {
      expect(routeOf(fragment)).toBeUndefined()
    },
  )
})
