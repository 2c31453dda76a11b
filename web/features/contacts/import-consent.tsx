import { ConsentFields, type TypedConsent } from '#web/features/whatsapp/index.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'

interface ImportConsentProps {
  /** null: nobody says they agreed, which is how it begins. */
  typed: TypedConsent | null
  errors: React.ComponentProps<typeof ConsentFields>['errors']
  onTick: (agreed: boolean) => void
  onChange: (change: Partial<TypedConsent>) => void
}

/** Whether everybody in the file agreed to WhatsApp messages, and what shows it. Never said beforehand. */
export function ImportConsent({ typed, errors, onTick, onChange }: ImportConsentProps) {
  return (
    <fieldset className="rounded-card border bg-surface p-4">
      <legend className="sr-only">Consent to WhatsApp</legend>
      <Checkbox
        label="Everybody in this file agreed to WhatsApp messages from you"
        hint="Only if they did, and you can show it. Without it they are imported all the same, and no WhatsApp campaign writes to them. You can record consents later, too."
        checked={typed !== null}
        onChange={(event) => onTick(event.target.checked)}
      />
      {typed && (
        <div className="mt-4 border-t pt-4">
          <ConsentFields typed={typed} errors={errors} onChange={onChange} />
          <p className="mt-3 text-sm text-muted">
            It is recorded once for each number in the file, with your name and today, and is never changed. Who opted
            out stays opted out.
          </p>
        </div>
      )}
    </fieldset>
  )
}
