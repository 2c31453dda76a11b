"""Checks of `npm run test:contract`: input that fits its schema is accepted, or refused by a rule that JSON Schema cannot express."""

import re

import schemathesis
from schemathesis.openapi.checks import RejectedPositiveData
from schemathesis.specs.openapi.checks import positive_data_acceptance

# Refusals (400, 402, 413, 415) of input that fits its schema, each with the reason why JSON Schema cannot express the rule.
# The descriptions state these rules. Any other refusal is a rule that the contract must express.
JUSTIFIED = [
    ("what the workspace has: an id, a number or an account that does not exist", r"not exist in this (workspace|campaign)|is not a (starter template|result of this scrape|sender of this campaign|template of this number)|is not one of|sender IDs? is (not )?a Gmail account|of a Gmail account is set by Google|nth is past the end|belongs to another post|This coupon is for another plan"),
    ("opaque: a cursor is made by the server", r"is not a cursor of this (list|order)"),
    ("compares two fields", r"A contact needs an email address|must be after startsAt|must be before the end|must be at most \d+ days|must be later than the beginning|is for (Gmail|WhatsApp|email|the events? (opened|clicked))"),
    ("compares two fields: the kind or type decides what else there is", r"is for (mailboxes|mail servers|Amazon SES|SendGrid|Mailgun|fields of the type)|is not for this kind|is made here for this kind|is required: copy it from the settings of|is not a day such as|is not true or false|is none of the choices|has to name at least one choice|is required where no other limit is set|is required, or else domain or phone"),
    ("items that differ, but name the same link, field, receiver or choice", r"(has the same link|has (a|the same) field|name a receiver) twice|repeats a choice"),
    ("which condition a filter has: its fields and their operators are those of the workspace", r"must be a condition or a group of conditions|\"error\":\"Filter items"),
    ("which text is an origin, a topic or a domain, by the rules of others", r"is not an origin, such as|is not the ARN of an SNS topic|must have a dot, as in example.com"),
    ("which characters are letters: versions of Unicode differ", r"must have only letters, digits and single dashes"),
    ("which characters are blank", r"Title and content are required fields"),
    ("what DNS knows", r"host was not found"),
    ("a key that every object in JavaScript has: __proto__", r"The body is not valid JSON"),
    ("compares with the clock", r"is in the future|must be in the future"),
    ("data of another organization: countries of ISO 3166", r"is not a country code"),
    ("data of another organization: time zones of IANA", r"is not a time zone"),
    ("data of another organization: top-level domains", r"is not an email address|email address has|domain does not end|the part (before|after) the @|is not a domain name"),
    ("data of another organization: phone numbers of a country", r"phone number (has|is|does)|number .*unknown country|is not a phone number"),
    ("a secret: a token, a signature, a password", r"This link has expired or has already been used|This is not signed by the payment provider|form is not from our form|Meta does not accept this token|([pP]assword|current password) is incorrect|password is required again when the server changes|password is not used by this account|password is 16 letters, as Google shows it"),
    ("what makes a password weak", r"[pP]assword (is one of the most used passwords|repeats the same few characters|is too close to your (email address|name))"),
    ("the content of a file", r"is neither a Ghost export|is not an image|is not an? \.|[fF]ile is (empty|not text|damaged|protected by a password|larger than|an? [\w ]+ \(\.\w+\)|[\w ]+, not a table|an OpenDocument file|not valid JSON|not a Ghost export)|maps (no column|two columns) to|a type that is not accepted|file (has front matter that is not valid YAML|has more than [\d,]+ rows|holds (no rows|more than|no \.html or \.mjml file|a file named)|unpacks to more than|contains)|The file (takes too long to read|needs more memory to read)|The form is incomplete"),
    ("a form cannot say whether a part is a file or a text", r"cover image contains a character|image is empty|file is (required|missing)"),
    ("JSON inside a field of a form", r"is not a JSON object"),
    ("which text is a web address, by the rules of WHATWG", r"is not a web address|is not a host name or address|buttons of type url need a web address"),
    ("what Meta knows or wants", r"Meta does not (know|accept)|reviewers read it with examples|must have at most (two|one) of type|must be next to each other"),
    ("a program: Liquid, MJML or HTML", r"is not closed|cannot be shown"),
    ("which tags are left: empty and repeated ones are not kept", r'"error":"tags(\.\d+)? (must be at most 20|(are|is) too long|takes? up to)'),
    ("set by the operator", r"set by the operator|is not on the public internet|This address isn’t public"),
    ("a limit of the plan or of Google", r"of your [\d,]+ [\w ]+ for this month (is|are) left, until|Your plan includes [\d,]+ [\w ]+, and all of them are used|more is not possible with this account"),
]


@schemathesis.check
def rules_are_said(ctx, response, case):
    """Schemathesis' positive_data_acceptance, less the justified refusals."""
    try:
        positive_data_acceptance(ctx, response, case)
    except RejectedPositiveData:
        if not any(re.search(pattern, response.text, re.IGNORECASE) for _, pattern in JUSTIFIED):
            raise
