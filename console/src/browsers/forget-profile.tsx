import { useState } from 'react'
import { request } from '../api/request.ts'
import { AskFirst } from '../ui/ask-first.tsx'
import { Field } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'

/** The service does not list profiles, so their names are typed. */
export function ForgetProfile() {
  const [name, setName] = useState('')
  const [forgotten, setForgotten] = useState<string>()
  const profile = name.trim()
  const forget = async () => {
    await request('DELETE', `/v2/browser/profiles/${encodeURIComponent(profile)}`)
    setForgotten(profile)
    setName('')
  }
  return (
    <section className="stack" aria-labelledby="forget-profile">
      <h2 id="forget-profile">Forget a profile</h2>
      <Field
        name="Name of the profile"
        hint="Cookies and storage that sessions and scrapes have saved under it."
        maxLength={128}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      {profile !== '' && (
        <AskFirst name="Forget it" title={`Forget the profile “${profile}”?`} act={forget}>
          <p>What was saved under this name is removed. Sites will not know its sessions any more.</p>
        </AskFirst>
      )}
      {forgotten !== undefined && <Notice>Nothing is saved under “{forgotten}” any more.</Notice>}
    </section>
  )
}
