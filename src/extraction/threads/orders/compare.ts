import { isSameText, unifiedDiff, valueChanges } from '../../../content/diff.ts'
import { packer } from '../carry.ts'
import type { ComparedVersions, ComparingOrder } from '../messages.ts'
import type { Done } from './order-kind.ts'

export function run({ previous, current, showsDifference, values, mostBytes }: ComparingOrder): Done {
  const [before, now] = [decoded(previous), decoded(current)]
  const { json } = packer(mostBytes)
  const isSame = isSameText(before, now)
  const shown = isSame || !showsDifference ? undefined : unifiedDiff(before, now)
  const compared = values && valueChanges(decoded(values.previous), decoded(values.current))
  const done: ComparedVersions = {
    isSame,
    difference: shown && { text: json(shown.text), files: json(shown.files) },
    values: compared && { ...compared, changes: json(compared.changes) },
  }
  return { done }
}

const decoded = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
