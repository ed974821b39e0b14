import { type FormEvent, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Checkbox, Field } from '../ui/field.tsx'
import { ErrorNotice } from '../ui/notice.tsx'
import { useOpenSession } from './sessions.ts'

export function OpenSession({ onClose, onOpen }: { onClose: () => void; onOpen: (id: string) => void }) {
  const [ttl, setTtl] = useState(600)
  const [activityTtl, setActivityTtl] = useState(300)
  const [profile, setProfile] = useState('')
  const [saveChanges, setSaveChanges] = useState(true)
  const opening = useOpenSession()
  const submit = (event: FormEvent, close: () => void) => {
    event.preventDefault()
    const name = profile.trim()
    const body = { ttl, activityTtl, ...(name === '' ? {} : { profile: { name, saveChanges } }) }
    opening.mutate(body, {
      onSuccess: ({ id }) => {
        close()
        onOpen(id)
      },
    })
  }
  const seconds = { type: 'number', required: true, max: 3600 } as const
  return (
    <Dialog title="Open session" onClose={onClose}>
      {(close) => (
        <form onSubmit={(event) => submit(event, close)}>
          <Field
            {...seconds}
            name="Maximum lifetime (seconds)"
            min={30}
            value={ttl}
            onChange={(event) => setTtl(event.target.valueAsNumber)}
          />
          <Field
            {...seconds}
            name="Idle timeout (seconds)"
            min={10}
            value={activityTtl}
            onChange={(event) => setActivityTtl(event.target.valueAsNumber)}
          />
          <Field
            name="Profile"
            hint="Name under which cookies and storage are saved for later sessions and scrapes. Leave empty to save nothing."
            maxLength={128}
            value={profile}
            onChange={(event) => setProfile(event.target.value)}
          />
          {profile.trim() !== '' && (
            <Checkbox
              name="Save changes when the session ends"
              isOn={saveChanges}
              onChange={setSaveChanges}
            />
          )}
          {opening.error && <ErrorNotice error={opening.error} />}
          <div className="dialog-end">
            <Button onClick={close}>Cancel</Button>
            <Button type="submit" variant="main" isBusy={opening.isPending} disabled={opening.isPending}>
              Open session
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  )
}
