import { describe, expect, it } from 'vitest'
import { wholePage } from '../../../test/markdown/whole-page.ts'

function markdown(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('\n', '<br>')
  return wholePage(`<p>${escaped}</p>`)
}

describe('text that Markdown would parse as syntax', () => {
  it.each([
    ['*a*', '\\*a\\*'],
    ['**a**', '\\*\\*a\\*\\*'],
    ['_a_', '\\_a\\_'],
    ['__init__', '\\_\\_init\\_\\_'],
    ['`a`', '\\`a\\`'],
    ['~~a~~', '\\~\\~a\\~\\~'],
    ['[a](b)', '\\[a](b)'],
    ['![a](b)', '!\\[a](b)'],
    ['<b>', '\\<b>'],
    ['</b>', '\\</b>'],
    ['<!-- a', '\\<!-- a'],
    ['&amp;', '\\&amp;'],
    ['&#65;', '\\&#65;'],
    ['a\\*b', 'a\\\\\\*b'],
    ['# a', '\\# a'],
    ['###### a', '\\###### a'],
    ['- a', '\\- a'],
    ['+ a', '\\+ a'],
    ['* a', '\\* a'],
    ['1. a', '1\\. a'],
    ['12) a', '12\\) a'],
    ['> a', '\\> a'],
    ['---', '\\---'],
    ['***', '\\*\\*\\*'],
    ['___', '\\_\\_\\_'],
    ['a\n===', 'a  \n\\==='],
    ['a\n---', 'a  \n\\---'],
    ['a\n# b', 'a  \n\\# b'],
    ['[a]: b', '\\[a]: b'],
  ])('%j is escaped as %j', (text, escaped) => {
    expect(markdown(text)).toBe(escaped)
  })
})

describe('text that Markdown does not parse as syntax', () => {
  it.each([
    'snake_case_name',
    'a __ b _ c',
    '5 * 3 * 2',
    'a ~ b ~c',
    '[1] and [a][b] and [ ] and a[0]',
    'a < b and 1<2 and <3',
    'AT&T and a & b and &x',
    'C:\\dir\\file',
    'C:\\',
    '#tag and a # b',
    '-1 and +1 and a - b',
    '1.5 and v1. a 2)',
    '2024.01.05',
    'a > b',
    'Hello! [a]',
    '$5 (five) {six} "seven" \'eight\'',
    'https://a.test/_b_/c*d*e?f=[g]&h=_i',
    'Form: ____',
  ])('%j is unchanged', (text) => {
    expect(markdown(text)).toBe(text)
  })
})
