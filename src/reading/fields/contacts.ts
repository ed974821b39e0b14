import { coerce } from '../values/coerce.ts'
import { singular, words } from '../vocabulary/words.ts'
import type { Found } from './found.ts'
import type { Line, Lines } from './lines.ts'
import { alike } from './near-names.ts'
import type { PageContext } from './page-context.ts'
import type { Slot } from './slots.ts'

/** Words that say nothing about whose number or address it is. */
const neutral = new Set(
  'phone telephone tel telefon telefono telephon fon fone number nummer numero no nr mobile mobil handy cell fax email mail e adresse address courriel correo contact kontakt contacto contatto main office work business general own direct public support customer service info line call us our the de your company firma'.split(
    ' ',
  ),
)
const score = 0.7
/** How far above a number the name of its owner may stand. */
const above = 5

/** Numbers and addresses to reach someone are those of whom the page says so: the secretary's phone is no other. */
export function settleContacts(
  found: Map<string, Found>,
  slots: readonly Slot[],
  lines: Lines,
  page: PageContext,
): void {
  for (const slot of slots) {
    const { names, spec, path } = slot
    if ((names.kind !== 'phone' && names.kind !== 'email') || spec.kind === 'list') continue
    const owners = [...names.outer, ...names.own].filter((word) => !neutral.has(word))
    const value = found.get(path)
    if (owners.length === 0) {
      if (value?.node !== undefined && isOfOther(lineAt(lines, value.node))) found.delete(path)
      continue
    }
    if (value && (value.node === undefined || isNear(lines, value.node, owners))) continue
    const line = lines.list.find(
      ({ text, weight }) => weight > 0.5 && text.length < 200 && isNamed(text, owners),
    )
    const said = line && coerce(spec, line.text, { ...page, ...names })
    if (line && said !== undefined)
      found.set(path, { value: said, text: line.text, node: line.first, reader: 'label', score })
  }
}

function lineAt({ list, before }: Lines, node: number): Line | undefined {
  const at = before[node] ?? 0
  const line = list[at]
  return line && line.first <= node + 4 ? line : list[at - 1]
}

/** "Secretary: Joan Webb, 020 …" is how to reach the secretary. */
function isOfOther(line: Line | undefined): boolean {
  const [, label] = /^([^:：]{3,30})[:：]\s*\p{Lu}\p{L}+\s\p{Lu}/u.exec(line?.text ?? '') ?? []
  return label !== undefined && words(label).every((word) => !neutral.has(word))
}

function isNamed(text: string, owners: readonly string[]): boolean {
  const said = words(text).map(singular)
  return owners.every((owner) => said.some((word) => alike(word, owner) > 0))
}

function isNear({ list, before }: Lines, node: number, owners: readonly string[]): boolean {
  const at = before[node] ?? 0
  return list
    .slice(Math.max(0, at - above), at + 2)
    .some(({ text }) => text.length < 200 && isNamed(text, owners))
}
