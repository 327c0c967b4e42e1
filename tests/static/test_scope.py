"""Scopes: arrays by name, within one another."""

import numpy as np
import pytest

from twinoar import static
from twinoar.errors import ProgramError


def test_a_variable_is_set_found_and_erased():
    scope = static.Scope()
    assert scope.find_var("w") is None
    scope.var("w").get_tensor().set(np.ones((2, 3)), None)
    assert scope.local_var_names() == ["w"] and scope.size() == 1
    found = scope.find_var("w").get_tensor()
    assert found.shape() == [2, 3] and found.lod() == []
    np.testing.assert_array_equal(np.array(found), np.ones((2, 3)))
    scope.erase(["w", "nothing"])
    assert scope.find_var("w") is None
    with pytest.raises(ProgramError, match="w has no value"):
        found.shape()


def test_an_inner_scope_finds_what_is_around_it():
    outer = static.Scope()
    outer.var("w").set([1.0])
    inner = outer.new_scope()
    assert inner.find_var("w").shape() == [1] and inner.local_var_names() == []
    inner.var("v").set([1.0, 2.0])
    assert outer.find_var("v") is None
    outer.drop_kids()
    assert outer.kids == []


def test_programs_run_in_an_inner_scope_on_the_states_of_the_outer_one():
    main, startup = static.Program(), static.Program()
    with static.program_guard(main, startup):
        out = static.create_global_var([1], 2.0, "float32", persistable=True, name="w") * 3.0
    outer, exe = static.Scope(), static.Executor()
    exe.run(startup, scope=outer)
    assert exe.run(main, fetch_list=[out], scope=outer.new_scope())[0].tolist() == [6.0]


def test_the_guarded_scope_is_the_global_one_until_the_end():
    scope, before = static.Scope(), static.global_scope()
    with static.scope_guard(scope):
        assert static.global_scope() is scope
    assert static.global_scope() is before
