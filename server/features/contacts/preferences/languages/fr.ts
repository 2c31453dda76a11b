import type { PageTexts } from './texts.ts'

export const fr: PageTexts = {
  title: 'Vos préférences de communication',
  intro: 'Choisissez ce que {sender} envoie à {address}.',
  saved: 'Vos modifications sont enregistrées.',
  unsubscribed: 'Vous êtes désinscrit. {sender} ne vous écrira plus. Un message déjà en route peut encore arriver.',
  linkSent: 'Nous avons envoyé un lien à {address}. Il est valable 24 heures.',
  tooMany:
    'Cette page a été utilisée très souvent au cours de la dernière heure. Réessayez plus tard. Rien n’a été modifié.',
  noEmail:
    'L’expéditeur n’a pas d’adresse e-mail de votre part, aucun lien ne peut donc être envoyé. Adressez-vous directement à lui.',
  blocked:
    'Votre adresse est bloquée : aucun e-mail ne lui est envoyé. Pour en recevoir à nouveau, contactez {sender}.',
  moved:
    'Cet e-mail a été envoyé à {address}. {sender} a désormais une autre adresse pour vous : vos préférences ne peuvent être modifiées qu’avec le lien d’un e-mail envoyé à cette autre adresse. Vous pouvez toujours vous désabonner ici.',
  removed:
    '{sender} vous a retiré de ses contacts, il n’y a donc plus de préférences à modifier. Vos données peuvent être restaurées pendant 24 heures au plus. Pour les faire effacer définitivement, demandez un lien : nous l’envoyons à {address}.',
  emailsOff:
    'Vous ne recevez aucun e-mail de {sender}. Cochez E-mail et enregistrez pour choisir de nouveau des listes.',
  lists: 'Que souhaitez-vous recevoir ?',
  noLists: 'Il n’y a aucune liste à choisir.',
  channels: 'Comment pouvons-nous vous joindre ?',
  email: 'E-mail',
  frequency: 'À quelle fréquence ?',
  all: 'Tous les e-mails',
  weekly: 'Un e-mail par semaine au maximum',
  pause: 'Aucun e-mail pendant 30 jours',
  paused: 'Aucun e-mail jusqu’au {date}',
  save: 'Enregistrer',
  unsubscribeAll: 'Se désinscrire de tout',
  unsubscribeHint: {
    email: 'Met fin immédiatement à tous les e-mails de {sender}.',
    whatsapp: 'Met fin immédiatement à tous les messages WhatsApp de {sender}.',
    both: 'Met fin immédiatement à tous les e-mails et messages WhatsApp de {sender}.',
  },
  why: 'Pourquoi ai-je reçu cet e-mail ?',
  sentOn: 'L’e-mail « {subject} » a été envoyé à {address} le {date}.',
  sources: {
    import: '{sender} vous a ajouté depuis un fichier de contacts le {date}.',
    form: 'Vous vous êtes inscrit avec un formulaire le {date}.',
    collected: '{sender} a trouvé votre adresse sur une page web publique et vous a ajouté le {date}.',
    other: '{sender} vous a ajouté le {date}.',
  },
  confirmed: 'Vous avez accepté de recevoir {list} le {date}.',
  agreed: '{sender} déclare que vous aviez déjà accepté {list} : « {evidence} »',
  found: 'Votre adresse a été trouvée sur {url} le {date}.',
  bases: {
    consent: 'Base légale : votre consentement.',
    customer: 'Base légale : vous êtes client.',
    legitimate_interest: 'Base légale : intérêt légitime.',
  },
  noEvidence: 'Aucune preuve de votre consentement n’est enregistrée ici. Demandez-la à {sender}.',
  postalAddress: 'Adresse postale de l’expéditeur',
  noPostalAddress: 'L’expéditeur n’a pas indiqué d’adresse postale.',
  data: 'Vos données',
  dataHint: 'Pour protéger vos données, nous envoyons un lien à l’adresse que {sender} connaît de vous.',
  askData: 'Télécharger mes données',
  askErasure: 'Effacer mes données',
  download: {
    title: 'Télécharger vos données',
    text: 'Le fichier contient tout ce que {sender} a enregistré ici à votre sujet.',
    button: 'Télécharger le fichier',
    subject: 'Vos données chez {sender}',
    body: 'Vous avez demandé les données que {sender} a enregistrées à votre sujet. Téléchargez-les ici :\n\n{link}\n\nLe lien est valable 24 heures. Si vous n’avez rien demandé, ignorez cet e-mail.',
  },
  erase: {
    title: 'Effacer vos données ?',
    text: '{sender} effacera tout ce qui est enregistré ici à votre sujet et ne vous écrira plus. Cette action est définitive.',
    button: 'Effacer mes données',
    subject: 'Confirmez l’effacement de vos données chez {sender}',
    body: 'Vous avez demandé à {sender} d’effacer tout ce qui est enregistré à votre sujet. Confirmez-le ici :\n\n{link}\n\nLe lien est valable 24 heures. Sans lui, rien n’est effacé. Si vous n’avez rien demandé, ignorez cet e-mail.',
    done: 'Vos données sont effacées',
    doneText:
      'Vous ne recevrez plus d’e-mails de {sender}. Il ne reste qu’un code illisible de votre adresse, pour que vous ne soyez pas ajouté de nouveau par erreur.',
  },
  expired: {
    title: 'Ce lien a expiré',
    text: 'Les liens sont valables 24 heures. Demandez-en un nouveau sur la page de vos préférences.',
  },
  gone: {
    title: 'Il n’y a plus rien à régler',
    text: 'L’expéditeur a supprimé vos données, il n’y a donc plus de préférences à modifier. Vous ne recevrez plus d’e-mails, sauf si vous vous inscrivez de nouveau.',
  },
  test: {
    title: 'C’était un test',
    text: 'Le message était un test. Dans un vrai message, cette page montre ce que le destinataire peut choisir.',
  },
  leave: {
    title: 'Se désinscrire',
    text: 'E-mails de {sender} à {address}. Rien n’a encore été modifié.',
    choice: 'Que souhaitez-vous arrêter ?',
    all: 'Tous les e-mails de {sender}',
    list: 'Seulement la liste de diffusion de ce message',
    button: 'Se désinscrire',
    done: 'Vous êtes désinscrit',
    doneAll: '{sender} n’enverra plus d’e-mails à {address}.',
    doneList:
      '{address} ne fait plus partie de la liste de diffusion de ce message. D’autres e-mails de {sender} peuvent encore arriver.',
    atOnce: 'Cela prend effet immédiatement. Un message déjà en route peut encore arriver.',
    again:
      'Vous avez changé d’avis ? Vous seul pouvez revenir sur ce choix : inscrivez-vous de nouveau auprès de l’expéditeur ou contactez-le.',
    preferences: 'Gérer mes préférences',
    gone: {
      title: 'Vous ne recevrez plus d’e-mails',
      text: 'L’expéditeur de ce message a fermé son compte et tous ses contacts sont supprimés. Vous ne recevrez plus d’e-mails de sa part.',
    },
    test: {
      title: 'C’était un test',
      text: 'Le message était un test, il n’y a donc pas d’inscription à annuler. Dans un vrai message, cette page demande ce que vous souhaitez arrêter.',
    },
  },
  confirm: {
    title: 'Confirmez votre inscription',
    text: 'Vous recevrez {lists} dès que vous aurez confirmé. Vous pouvez vous désinscrire à tout moment.',
    button: 'Confirmer mon inscription',
    decline: 'Je n’ai rien demandé',
    done: {
      title: 'Vous êtes inscrit',
      text: 'Merci. Vous recevrez {lists} par e-mail.',
    },
    declined: {
      title: 'On ne vous le demandera plus',
      text: 'Merci de nous l’avoir signalé. Votre adresse n’a été inscrite nulle part.',
    },
    left: {
      title: 'Vous êtes désinscrit',
      text: 'Vous vous êtes désinscrit après l’envoi de ce lien, il ne fonctionne donc plus. Pour recevoir de nouveau {lists}, inscrivez-vous là où vous l’aviez trouvé.',
    },
    expired: {
      title: 'Ce lien a expiré',
      text: 'Les liens sont valables {days} jours et celui-ci n’a pas été utilisé. Vous n’êtes pas inscrit. Pour vous inscrire, remplissez de nouveau le formulaire là où vous l’aviez trouvé.',
    },
    again: {
      text: 'Vous n’êtes pas inscrit à {lists}. Si vous le souhaitez toujours, nous pouvons vous envoyer un nouveau lien par e-mail.',
      button: 'Envoyer un nouveau lien',
    },
    sent: {
      title: 'Consultez votre boîte de réception',
      text: 'Nous vous avons envoyé un nouveau lien. Il est valable {days} jours.',
    },
    full: {
      title: 'Les inscriptions sont fermées',
      text: 'Rien n’a été modifié. Réessayez dans quelques jours.',
    },
  },
}
