import { describe, expect, it } from 'vitest'
import { repaired, written } from '../../../test/written-tree.ts'
import { parseHtml } from './parse.ts'

describe('limits of a tree', () => {
  it('moves up elements that are too deep, and reports it', () => {
    const tree = parseHtml(`${'<div>'.repeat(100_000)}deep`)
    expect(tree.isFlattened).toBe(true)
    expect(tree.isTruncated).toBe(false)
    expect(written(tree)).toContain('deep')
  })

  it('reads a million stray end tags at full depth', () => {
    const html = `<div><table><tr><td>${'<span>'.repeat(500)}${'</div>'.repeat(1_000_000)}x`
    expect(repaired(html)).toContain('x</span>')
  })
})
