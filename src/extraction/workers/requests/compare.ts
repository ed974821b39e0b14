import { isSameText, unifiedDiff, valueChanges } from '../../../content/diff.ts'
import type { ComparedVersions, CompareRequestMessage } from '../messages.ts'
import { createPartSerializer } from '../serialize-parts.ts'
import type { Done } from './request-kind.ts'

export function run({ previous, current, showsDifference, values, maxBytes }: CompareRequestMessage): Done {
  const [before, now] = [decoded(previous), decoded(current)]
  const { json } = createPartSerializer(maxBytes)
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
