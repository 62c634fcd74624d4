nexi-template-kept = /{ $name } kept
nexi-template-kept-fields = /{ $name } kept (fields: { $fields })
nexi-template-removed = /{ $name } removed
nexi-template-none-yet = There is no template yet. To make one: { $command }
nexi-template-unknown = template: there is none called { $name }; nexi template lists them
nexi-template-too-many = template: /{ $name } has the fields { $fields }; "{ $value }" is too many
nexi-template-no-fields = template: /{ $name } has no fields; "{ $value }" is too many
nexi-template-missing = template: { $field } is missing; write { $command }
