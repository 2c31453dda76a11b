import { RotateCcw, SendHorizontal } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Contact } from '#contracts/contacts/contacts.ts'
import { errorMessage } from '#web/api.ts'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { Button, IconButton } from '#web/ui/form/button.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { ZonedFields } from '#web/ui/form/zoned-fields.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { ownZone, toInstant } from '#web/ui/lib/zoned-time.ts'
import { PersonChoice } from '../inbox/person-choice.tsx'
import { type Simulation, useSimulation } from './queries.ts'

const MAX_MESSAGES = 50

interface SimulatorProps {
  accountId: string
  /** What the business is called in the chat. */
  name: string
  version: string
}

/** A chat to try the automations in, with the engine that also sends the real replies. Nothing is sent or stored. */
export function Simulator({ accountId, name, version }: SimulatorProps) {
  const [messages, setMessages] = useState<string[]>([])
  const [contact, setContact] = useState<Contact | null>(null)
  const [when, setWhen] = useState({ date: '', time: '', zone: ownZone() })
  const at = toInstant(when.date, when.time, when.zone)?.at.toISOString()
  const query = useSimulation({ accountId, messages, contactId: contact?.id, at }, version)
  const said = query.data && messages.length > 0 ? query.data : undefined
  const say = (text: string) => setMessages((old) => (old.length < MAX_MESSAGES ? [...old, text] : old))
  return (
    <Card
      title="Test your automations"
      description="Nothing is sent or saved."
      className="wide:sticky wide:top-6"
      action={
        messages.length > 0 && (
          <Button
            size="sm"
            icon={<RotateCcw aria-hidden="true" className="size-3.5" />}
            onClick={() => setMessages([])}
          >
            Start over
          </Button>
        )
      }
    >
      <Talk said={said} name={name} onPress={say} />
      {query.isError && (
        <Banner tone="harm" role="alert" className="mt-3">
          {errorMessage(query.error)}
        </Banner>
      )}
      {said && <Outcome said={said} />}
      <Composer onSay={say} isFull={messages.length >= MAX_MESSAGES} />
      <details className="mt-4">
        <summary className="rounded-control text-sm font-medium text-accent-text">
          Choose a contact or another time
        </summary>
        <div className="mt-3 space-y-4">
          <PersonChoice
            label="Contact"
            hint="Without a contact, the messages come from an unknown person."
            person={contact}
            onChoose={setContact}
          />
          <div className="[&>div]:grid-cols-1!">
            <ZonedFields value={when} onChange={(change) => setWhen((old) => ({ ...old, ...change }))} />
          </div>
          <p className="text-sm text-muted">
            Without a date and time, the test uses the current time. Each message arrives one minute later.
          </p>
        </div>
      </details>
    </Card>
  )
}

type Step = Simulation['steps'][number]

function Talk({
  said,
  name,
  onPress,
}: {
  said: Simulation | undefined
  name: string
  onPress: (text: string) => void
}) {
  const end = useRef<HTMLDivElement>(null)
  const count = said?.steps.length ?? 0
  useEffect(() => {
    // Inside the chat only: the page stays where it is.
    if (count > 0 && end.current) end.current.scrollTop = end.current.scrollHeight
  }, [count])
  return (
    <div
      ref={end}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
      tabIndex={0}
      role="log"
      aria-label={`Conversation with ${name}`}
      className="h-80 space-y-2 overflow-y-auto rounded-card border bg-sunken px-3 py-3"
    >
      {!said && (
        <p className="grid h-full place-items-center px-4 text-center text-base text-muted">
          The reply from {name} appears here.
        </p>
      )}
      {said?.steps.map((step, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: steps are only ever added at the end
        <Bubble key={index} step={step} onPress={onPress} />
      ))}
      {said?.handedOver && <Aside>A person takes over from here.</Aside>}
    </div>
  )
}

const Aside = ({ children }: { children: React.ReactNode }) => (
  <p className="px-2 text-center text-sm wrap-anywhere text-text">{children}</p>
)

function Bubble({ step, onPress }: { step: Step; onPress: (text: string) => void }) {
  const isOwn = step.from === 'person'
  return (
    <div className={isOwn ? 'flex flex-col items-end gap-1.5' : 'flex flex-col items-start gap-1'}>
      <div
        className={`max-w-[85%] rounded-card border px-3 py-2 text-base whitespace-pre-wrap wrap-anywhere text-ink ${
          isOwn ? 'border-good/30 bg-good-soft' : 'bg-raised'
        }`}
      >
        {step.text}
      </div>
      {step.buttons.length > 0 && (
        <div className="flex max-w-[85%] flex-col gap-1">
          {step.buttons.map((label) => (
            <Button key={label} size="sm" onClick={() => onPress(label)}>
              {label}
            </Button>
          ))}
        </div>
      )}
      {step.why &&
        (isOwn ? (
          <div className="w-full">
            <Aside>{step.why}</Aside>
          </div>
        ) : (
          <p className="max-w-[85%] text-sm wrap-anywhere text-text">
            <span className="font-medium">{step.automationName}</span>: {step.why}
          </p>
        ))}
    </div>
  )
}

function Outcome({ said: { fields } }: { said: Simulation }) {
  const all = Object.entries(fields)
  if (all.length === 0) return null
  return (
    <section aria-label="Saved to the contact" className="mt-3 rounded-card border px-3 py-2 text-sm">
      <h3 className="font-medium text-ink">Would be saved to the contact</h3>
      <dl className="mt-1">
        {all.map(([field, value]) => (
          <div key={field} className="flex gap-2 wrap-anywhere">
            <dt className="text-muted">{field.replace(/^attributes\./, '')}</dt>
            <dd className="text-ink">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function Composer({ onSay, isFull }: { onSay: (text: string) => void; isFull: boolean }) {
  const [text, setText] = useState('')
  if (isFull)
    return <p className="mt-3 text-sm text-muted">{MAX_MESSAGES} messages is the limit for one test. Start over.</p>
  return (
    <form
      className="mt-3 flex gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() === '') return
        onSay(text.trim())
        setText('')
      }}
    >
      <Input
        aria-label="Customer message"
        placeholder="Write a message"
        maxLength={4_096}
        autoComplete="off"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <IconButton label="Send" type="submit">
        <SendHorizontal aria-hidden="true" className="size-4" />
      </IconButton>
    </form>
  )
}
